/** Sends one call through the whole of ingest and compares its three forms. */
import { readCall } from '../../src/core/ingest/parsed-view.ts';
import { fullMessage } from '../../src/core/model/body.ts';
import { type CallForms, callChanges, type Field } from '../../src/core/model/call-changes.ts';
import { bodyShapeOf } from '../../src/core/model/change-reasons.ts';
import { basic, KEY, makeWorld, sourceWith, textOf } from './ingest-parts.ts';

export interface ChangeSetting {
  body?: 'documented' | 'pass-through';
  correctEveryTimestamp?: boolean;
  kind?: 'server' | 'web';
  /** By default the path of the call's type, or that of batches. */
  path?: string;
}

const OTHER = { type: 'track', event: 'Other', userId: 'o' };

/** With `batch`, the call is the second one of a batch with these fields. Null when it was rejected. */
export async function changesOf(
  call: object,
  batch: object | null = null,
  { body = 'documented', correctEveryTimestamp = false, kind = 'server', path }: ChangeSetting = {},
): Promise<{ forms: CallForms; fields: readonly Field[] } | null> {
  const world = makeWorld();
  world.sources.splice(0, world.sources.length, sourceWith({ kind }));
  world.settings = { ...world.settings, correctEveryTimestamp };
  world.destinationNow = { ...world.destinationNow, body };
  await world.ingest.handle({
    method: 'POST',
    target: path ?? (batch === null ? `/v1/${(call as { type: string }).type}` : '/v1/batch'),
    headers: [
      ['Host', 'localhost'],
      ['Authorization', basic(KEY)],
    ],
    body: Buffer.from(JSON.stringify(batch === null ? call : { batch: [OTHER, call], ...batch })),
    remote: '127.0.0.1',
  });
  const { request, messages } = world.store.kept[0]!;
  const message = messages.at(-1)!;
  if (message.wire === null) return null;
  const read = readCall({ ...request, ...message })!;
  const delivered = textOf(message.wire);
  const forms = { received: read.text, normalised: JSON.stringify(fullMessage(read.normal)), delivered };
  const facts = { normal: read.normal, batch: read.batch, notes: message.notes, shape: bodyShapeOf(delivered) };
  return { forms, fields: callChanges(forms, facts) };
}

export const leaves = (fields: readonly Field[]): Exclude<Field, { kind: 'group' }>[] =>
  fields.flatMap((field) => (field.kind === 'group' ? leaves(field.fields) : [field]));

/** A number that JSON.stringify writes as it is given here. */
export const rawNumber = (text: string): object => (JSON as unknown as { rawJSON(text: string): object }).rawJSON(text);
