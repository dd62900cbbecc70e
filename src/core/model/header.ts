/** One HTTP header as written, order and case kept. */
export type Header = readonly [name: string, value: string];
