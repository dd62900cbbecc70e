/** The name of a call in the event column of the list. */
import { clip, idText, isJsonObject, type JsonObject } from './call.ts';
import type { CallType } from './vocabulary.ts';

/** Longer names are cut; the payload has the whole name. */
const MAX_NAME_LENGTH = 300;

/**
 * track: the event. page, screen: `category / name`, else the name, the path of the page, or the category.
 * identify: the trait keys, or `key: true` when its one trait is a yes or no (an audience call). group: its name
 * trait, or the groupId. alias: `previousId → userId`. Empty when there is nothing to show.
 */
export function callName(type: CallType | null, call: JsonObject): string {
  return clip(nameOf(type, call), MAX_NAME_LENGTH);
}

function nameOf(type: CallType | null, call: JsonObject): string {
  switch (type) {
    case 'track':
      return text(call.event);
    case 'page':
    case 'screen':
      return pageName(call);
    case 'identify':
      return traitNames(call.traits);
    case 'group':
      return (isJsonObject(call.traits) && text(call.traits.name)) || text(idText(call.groupId));
    case 'alias':
      return `${text(idText(call.previousId))} → ${text(idText(call.userId) ?? idText(call.anonymousId))}`;
    case 'delete':
      return 'Deletion notice';
    case null:
      return '';
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function pageName(call: JsonObject): string {
  const name = text(call.name);
  const category = text(call.category);
  if (name !== '') return category === '' ? name : `${category} / ${name}`;
  return pagePath(call) || category;
}

function pagePath(call: JsonObject): string {
  const { properties, context } = call;
  const page = isJsonObject(context) ? context.page : undefined;
  for (const place of [properties, page]) {
    if (!isJsonObject(place)) continue;
    const path = text(place.path) || pathOf(text(place.url));
    if (path !== '') return path;
  }
  return '';
}

/** The path of a URL without parsing it: clients send any text here. */
function pathOf(url: string): string {
  const afterOrigin = url.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, '');
  return afterOrigin.replace(/[?#].*/s, '') || (url === '' ? '' : '/');
}

function traitNames(traits: unknown): string {
  if (!isJsonObject(traits)) return '';
  const keys = Object.keys(traits);
  const only = keys[0];
  if (keys.length === 1 && only !== undefined && typeof traits[only] === 'boolean') return `${only}: ${traits[only]}`;
  // Every name takes at least three characters with its separator, so more of them could not be shown.
  return keys.slice(0, MAX_NAME_LENGTH).join(', ');
}
