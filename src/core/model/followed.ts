/** The text about followed redirects in the detail of an attempt. Only this module writes and reads it. */

export interface Hop {
  readonly status: number;
  readonly url: string;
}

/** `Followed 307 to https://b.test/.` */
export const followedText = (hops: readonly Hop[]): string =>
  `Followed ${hops.map(({ status, url }) => `${status} to ${url}`).join(', ')}.`;

/** The URL of the last hop. Null for a detail of an attempt that followed no redirect. */
export const lastFollowed = (detail: string | null): string | null =>
  /^Followed (?:\d{3} to \S+, )*\d{3} to (\S+)\.(?: |$)/.exec(detail ?? '')?.[1] ?? null;
