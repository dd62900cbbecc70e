/** The rules of HTTP Archive 1.2: fields that must be there, their types, and that others begin with an underscore. */
import { z } from 'zod';

const time = z.iso.datetime();
const size = z.number().int().min(-1);
/** Milliseconds; -1 where a phase does not apply. */
const phase = z.number().min(-1);

function record<S extends z.ZodRawShape>(shape: S) {
  const known = new Set(Object.keys(shape));
  return z
    .looseObject({ ...shape, comment: z.string().optional() })
    .refine((value) => Object.keys(value).every((key) => known.has(key) || key === 'comment' || key.startsWith('_')), {
      message: 'a field of ours begins with an underscore',
    });
}

const pair = record({ name: z.string(), value: z.string() });
const message = {
  httpVersion: z.string(),
  cookies: z.array(pair),
  headers: z.array(pair),
  headersSize: size,
  bodySize: size,
};
const postData = record({ mimeType: z.string(), params: z.array(pair), text: z.string() });
const content = record({
  size: z.number().int().min(0),
  mimeType: z.string(),
  text: z.string().optional(),
  encoding: z.literal('base64').optional(),
});
const timings = record({
  blocked: phase.optional(),
  dns: phase.optional(),
  connect: phase.optional(),
  ssl: phase.optional(),
  send: z.number().min(0),
  wait: z.number().min(0),
  receive: z.number().min(0),
});
const entry = record({
  startedDateTime: time,
  time: z.number().min(0),
  request: record({
    ...message,
    method: z.string(),
    url: z.url(),
    queryString: z.array(pair),
    postData: postData.optional(),
  }),
  response: record({
    ...message,
    status: z.number().int(),
    statusText: z.string(),
    content,
    redirectURL: z.string(),
  }),
  cache: z.strictObject({}),
  timings,
}).refine(
  ({ time: total, timings: { blocked = -1, dns = -1, connect = -1, send, wait, receive } }) =>
    Math.abs(total - [blocked, dns, connect, send, wait, receive].reduce((sum, ms) => sum + Math.max(0, ms), 0)) <
    0.001,
  { message: 'time is the sum of the timings, without ssl' },
);

export const harRules = z.strictObject({
  log: record({
    version: z.literal('1.2'),
    creator: record({ name: z.string(), version: z.string() }),
    entries: z.array(entry),
  }),
});
