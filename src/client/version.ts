/** The package's version; a test holds the two together. */
export const VERSION = '0.1.0';

export const LIBRARY = { name: 'hookbench-client', version: VERSION } as const;

/** In version 2's form. */
export const USER_AGENT = `${LIBRARY.name} (version: ${VERSION})`;
