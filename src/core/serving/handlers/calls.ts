/** Calls that Hookbench itself sends through ingest: a sample, and the held calls of a write key that was unknown. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Ids } from '../../ports.ts';
import type { Writer } from '../../store/ports/changes.ts';
import type { HeldStore } from '../../store/ports/ingest.ts';
import type { Sources } from '../../workspace/sources.ts';

export interface CallDeps {
  readonly ingest: Ingest;
  readonly sources: Sources;
  readonly held: HeldStore;
  readonly write: Writer['write'];
  readonly metrics: Pick<Metrics, 'heldTaken'>;
  readonly ids: Ids;
}

export const callHandlers = (deps: CallDeps): Pick<Handlers, 'messages.sendSample' | 'messages.reingestHeld'> => ({
  'messages.sendSample': () => sendSample(deps),
  'messages.reingestHeld': ({ writeKey }) => reingestHeld(deps, writeKey),
});

/** The sample takes the same path as every call. */
async function sendSample({ ingest, sources, ids }: CallDeps): Promise<{ messageId: string }> {
  const source = sources.all.find(({ enabled }) => enabled);
  if (source === undefined) throw new ContractError('no_source');
  const messageId = `sample-${ids.uuid()}`;
  const call = { userId: 'user-42', event: 'Signed Up', properties: { plan: 'pro' }, messageId };
  const answer = await ingest.handle({
    method: 'POST',
    target: '/v1/track',
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`],
      ['Content-Type', 'application/json'],
      ['User-Agent', 'Hookbench sample'],
    ],
    body: Buffer.from(JSON.stringify(call)),
    remote: '127.0.0.1',
  });
  if (answer.status !== 200) throw new ContractError('store_not_writable');
  return { messageId };
}

/** Ingests the held requests of a key that was unknown, then removes what was held of them. */
async function reingestHeld({ ingest, held, write, metrics }: CallDeps, writeKey: string): Promise<{ calls: number }> {
  let calls = 0;
  for (const request of held.requestsOf(writeKey)) {
    const ids = held.messagesOf(request.id);
    const again = await ingest.reingest({
      receivedAt: request.receivedAt,
      method: request.method,
      path: request.path,
      headers: request.headers.filter((header) => header[1] !== null),
      body: request.body,
      encoding: request.encoding,
      writeKey: request.writeKey,
    });
    if (again === null) continue;
    await write((changes) => held.remove(ids, changes), ids.length);
    metrics.heldTaken(request.receivedAt, ids.length);
    calls += ids.length;
  }
  return { calls };
}
