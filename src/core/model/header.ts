/** One HTTP header as written, order and case kept. */
export type Header = readonly [name: string, value: string];

/** Headers from the flat list of names and values in which Node hands them over. */
export function headerPairs(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at < raw.length; at += 2) headers.push([raw[at] as string, raw[at + 1] as string]);
  return headers;
}
