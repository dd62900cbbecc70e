/** The whole corpus, in the order in which it is played. */
import type { Topic } from '../case.ts';
import { encodings } from './encodings.ts';
import { envelopeTopics } from './envelopes.ts';
import { heads } from './heads.ts';
import { hostTopics } from './hosts.ts';
import { jsonSyntax } from './json-syntax.ts';
import { keys } from './keys.ts';
import { numbers } from './numbers.ts';
import { paths } from './paths.ts';
import { prototypes } from './prototypes.ts';
import { selection } from './selection.ts';
import { sizes } from './sizes.ts';
import { strings } from './strings.ts';
import { timestamps } from './timestamps.ts';
import { unicode } from './unicode.ts';
import { validation } from './validation.ts';

export const corpus: readonly Topic[] = [
  ...jsonSyntax,
  ...numbers,
  ...strings,
  ...unicode,
  ...sizes,
  ...envelopeTopics,
  ...validation,
  ...timestamps,
  ...selection,
  ...keys,
  ...encodings,
  ...paths,
  ...hostTopics,
  ...heads,
  ...prototypes,
];
