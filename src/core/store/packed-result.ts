/**
 * Attempt results as the store keeps them: half as long as their JSON. What nearly every result has in common (the names
 * of its fields, headers that repeat) is left out or stands as a number; everything else stands as it is. Nothing is
 * shared between rows, so what is erased with an attempt is gone.
 */
import { remembering } from '../model/remembering.ts';
import type { StoredResult } from '../model/stored.ts';
import { KNOWN_HEADERS, KNOWN_NAMES } from './known-headers.ts';

type Header = StoredResult['requestHeaders'][number];
/** The place of a known header, or a header that has the place of a known name. */
type PackedHeader = number | readonly [name: string | number, ...value: readonly (string | number | null)[]];

/** What most results do not have. */
const USUAL = { reason: null, detail: null, responseCut: false, certificate: null } as const;
type Rare = Pick<StoredResult, keyof typeof USUAL>;

type Packed = readonly [
  statusText: string,
  phases: StoredResult['phases'],
  requestHeaders: readonly PackedHeader[],
  responseHeaders: readonly PackedHeader[],
  responseBytes: number,
  rare?: Partial<Rare>,
];

export function packResult(result: StoredResult): string {
  const { statusText, phases, requestHeaders, responseHeaders, responseBytes } = result;
  const packed: Packed = [statusText, phases, requestHeaders.map(pack), packedAnswer(responseHeaders), responseBytes];
  const rare = rareOf(result);
  return JSON.stringify(rare === null ? packed : [...packed, rare]);
}

/** Also reads results that were stored before they were packed. Throws for a text that is no result. */
export function unpackResult(text: string): StoredResult {
  const value = JSON.parse(text) as Packed | StoredResult;
  if (!isPacked(value)) return value;
  const [statusText, phases, requestHeaders, responseHeaders, responseBytes, rare] = value;
  return {
    ...USUAL,
    ...rare,
    statusText,
    phases,
    requestHeaders: requestHeaders.map(unpack),
    responseHeaders: responseHeaders.map(unpack) as StoredResult['responseHeaders'],
    responseBytes,
  };
}

const isPacked = (value: Packed | StoredResult): value is Packed => Array.isArray(value);

function rareOf({ reason, detail, responseCut, certificate }: Rare): Rare | null {
  const isUsual = reason === null && detail === null && !responseCut && certificate === null;
  return isUsual ? null : { reason, detail, responseCut, certificate };
}

/** By name and then value: one map of joined texts would make and hash a text for each header, 2 of a result's 5 µs. */
const places = new Map<string, Map<string | null, number>>();
for (const [place, [name, value]] of KNOWN_HEADERS.entries()) {
  const values = places.get(name) ?? new Map<string | null, number>();
  places.set(name, values.set(value, place));
}
const namePlaces = new Map(KNOWN_NAMES.map((name, place) => [name, place]));

function pack(header: Header): PackedHeader {
  const place = places.get(header[0])?.get(header[1]);
  if (place !== undefined) return place;
  const [name, value, ...length] = header;
  return [namePlaces.get(name) ?? name, value, ...length];
}

/** Answers with the same head share their list of headers (`delivery/transport/answer-reader.ts`). */
const packedAnswer = remembering(8, (headers: StoredResult['responseHeaders']) => headers.map(pack));

function unpack(header: PackedHeader): Header {
  if (typeof header === 'number') return known(KNOWN_HEADERS, header);
  const [name, ...value] = header;
  return [typeof name === 'number' ? known(KNOWN_NAMES, name) : name, ...value] as unknown as Header;
}

function known<T>(all: readonly T[], place: number): T {
  const found = all[place];
  if (found === undefined) throw new RangeError(`There is no known header ${place}.`);
  return found;
}
