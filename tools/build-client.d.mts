/** Writes the client library and its types; gives the folder. */
export function buildClient(outDir?: string): Promise<string>;
