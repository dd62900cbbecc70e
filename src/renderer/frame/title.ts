const PRODUCT = 'Hookbench';
/** A part is cut, because a tab is narrow. */
const MAX_PART = 60;

/** The title of the window from the parts that there are, the narrowest first. */
export const titleOf = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .map((part) => (part as string).slice(0, MAX_PART))
    .join(' \u00b7 ') || PRODUCT;
