/** What stored calls have, as suggestions for the fields of a rule or a trait. */
import { isJsonObject, type JsonObject } from '../model/call.ts';
import type { Scalar } from '../model/comparison.ts';
import { NONE } from './call-log.ts';
import type { Fields, Properties } from './messages.ts';
import type { PeopleIndex } from './people-index.ts';

/** Events, trait paths and properties that are listed. */
const MAX_FIELDS = 500;
/** So many of the newest calls are looked at for their properties. */
const LOOKED_AT = 200;
/** Objects are opened to this depth: `properties.address.city`. */
const DEPTH = 3;

export function fieldsOf({ data: { people }, kinds }: PeopleIndex): Fields {
  const paths = new Map<string, number>();
  const count = (path: string): void => void paths.set(path, (paths.get(path) ?? 0) + 1);
  for (let person = 0; person < people.room; person += 1) {
    for (const [key, value] of Object.entries(people.traits(person) ?? {})) {
      if (!isJsonObject(value)) count(key);
      else for (const inner of Object.keys(value)) count(`${key}.${inner}`);
    }
  }
  const traits = [...paths].map(([path, one]) => ({ path, people: one }));
  traits.sort((a, b) => b.people - a.people || (a.path < b.path ? -1 : 1));
  return { events: kinds.events(MAX_FIELDS), traits: traits.slice(0, MAX_FIELDS) };
}

/** The properties of the newest track calls of an event; null for calls of every kind, also with their traits. */
export function propertiesOf(index: PeopleIndex, event: string | null): Properties {
  const ids = newestIds(index, event);
  const readable = index.bodiesOf(ids);
  const bodies = ids.flatMap((id): JsonObject[] => {
    const body = readable.get(id);
    return body === undefined ? [] : [body];
  });
  const found = new Map<string, { calls: number; example: Scalar | null }>();
  const count = (path: string, value: unknown): void => {
    const before = found.get(path) ?? { calls: 0, example: null };
    found.set(path, { calls: before.calls + 1, example: before.example ?? exampleOf(value) });
  };
  for (const { properties, traits } of bodies) {
    if (isJsonObject(properties)) walk(properties, 'properties', 2, count);
    if (event === null && isJsonObject(traits)) walk(traits, 'traits', 2, count);
  }
  const rows = [...found].map(([path, one]) => ({ path, ...one }));
  rows.sort((a, b) => b.calls - a.calls || (a.path < b.path ? -1 : 1));
  return { calls: bodies.length, properties: rows.slice(0, MAX_FIELDS) };
}

/** Message ids, newest first. */
function newestIds({ data: { log }, kinds }: PeopleIndex, event: string | null): number[] {
  const kind = event === null ? null : kinds.ofEvent(event);
  const ids: number[] = [];
  for (let row = log.length - 1; row >= 0 && ids.length < LOOKED_AT; row -= 1)
    if (log.person(row) !== NONE && (kind === null || log.kind(row) === kind)) ids.push(log.id(row));
  return ids;
}

/** Calls `take` with the path and the value of everything that is not an object. */
function walk(object: JsonObject, path: string, depth: number, take: (path: string, value: unknown) => void): void {
  for (const [key, value] of Object.entries(object)) {
    const inner = `${path}.${key}`;
    if (isJsonObject(value) && depth < DEPTH) walk(value, inner, depth + 1, take);
    else take(inner, value);
  }
}

const exampleOf = (value: unknown): Scalar | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
