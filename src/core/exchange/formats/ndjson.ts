/** One JSON object a line, which an import reads again. A terminal obeys nothing in it. */
import { jsonText } from '../../../contract/plain-text.ts';
import type { Format } from './format.ts';

/** Of the lines; an import takes no later one. */
export const NDJSON_VERSION = 1;

export const ndjson: Format = {
  head: () => '',
  message: (message) => `${jsonText({ hookbench: NDJSON_VERSION, ...message })}\n`,
  tail: () => '',
};
