/** The name of a person. */
import type { JsonObject } from '../model/call.ts';

/** From the traits that Segment reserves for it. */
export function nameOf(traits: JsonObject | null): string | null {
  if (traits === null) return null;
  const { name, firstName, lastName } = traits;
  if (typeof name === 'string' && name !== '') return name;
  const parts = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? null : parts.join(' ');
}
