/** Names the client that sent a request, by `context.library`, else by its User-Agent. */
import { isJsonObject } from '../model/call.ts';
import { cut } from './text.ts';

export interface ClientName {
  /** Empty when neither names it. */
  readonly library: string;
  readonly version: string;
}

const MAX_NAME = 100;
const NOBODY: ClientName = { library: '', version: '' };

/** The `context.library` of a call or a batch, or null. Go and Java name it for the batch only. */
export function libraryOf(value: unknown): ClientName | null {
  if (!isJsonObject(value) || !isJsonObject(value.context)) return null;
  const { library } = value.context;
  if (!isJsonObject(library) || typeof library.name !== 'string' || library.name === '') return null;
  return {
    library: cut(library.name, MAX_NAME),
    version: typeof library.version === 'string' ? cut(library.version, MAX_NAME) : '',
  };
}

/** `analytics-ruby/2.5.0` and `analytics-go (version: 3.0.0)`; the User-Agents of browsers and others stay whole. */
export function nameFromUserAgent(userAgent: string): ClientName {
  const go = /^(analytics-go) \(version: ([^)]{1,40})\)$/.exec(userAgent);
  const [, library, version] = go ?? /^([\w@.-]{1,60})\/([\w.-]{1,40})$/.exec(userAgent) ?? [];
  return library === undefined || version === undefined ? NOBODY : { library, version };
}
