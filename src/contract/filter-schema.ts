/** The schema of a filter of messages. Not in `filter.ts`, which the page has too, because a page bundles no zod. */
import { z } from 'zod';
import { PATH_PATTERN } from '../core/model/filter-grammar.ts';
import { starsIn } from '../core/model/filter-pattern.ts';
import { FIELD_OPS, FILTER_LIMITS, type ListFilter } from '../core/model/filter-terms.ts';
import { CELL_LETTERS, MARKS, MESSAGE_STATES, MESSAGE_TYPES } from '../core/model/vocabulary.ts';

z.config({ jitless: true });

const { terms, values, characters, id, path, stars } = FILTER_LIMITS;
const text = z.string().max(characters);
const pattern = text.refine((one) => starsIn(one) <= stars, `at most ${stars} *`);
const code = z.string().max(60);
const time = z.number().int();

const term = <K extends string, V extends z.ZodType>(key: K, value: V, most: number = values) =>
  z.strictObject({ key: z.literal(key), values: z.array(value).min(1).max(most), not: z.boolean().optional() });

/** A filter without terms selects everything. */
export const messageFilter: z.ZodType<ListFilter, ListFilter> = z.strictObject({
  terms: z
    .array(
      z.discriminatedUnion('key', [
        term('text', text, 1),
        term('type', z.enum(MESSAGE_TYPES)),
        term('status', z.enum(MESSAGE_STATES)),
        term('source', z.number().int().positive()),
        term('user', z.union([pattern, z.strictObject({ id: z.string().min(1).max(id) })])),
        term('event', pattern),
        term('hook', z.strictObject({ slot: z.number().int().min(1).max(5), cell: z.enum(CELL_LETTERS).optional() })),
        term('code', z.string().regex(/^[1-5](?:\d\d|xx)$/)),
        term('took', z.number().int().min(0).max(99_999_000)),
        term('is', z.enum(MARKS)),
        term('note', code),
        term('reason', code),
        term('after', time, 1),
        term('before', time, 1),
        term('field', text).extend({ path: z.string().max(path).regex(PATH_PATTERN), op: z.enum(FIELD_OPS) }),
      ]),
    )
    .max(terms)
    .optional(),
});
