import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/contract/config.ts';
import { RECEIVER_LIMITS } from '../../../src/contract/receiver-limits.ts';
import { receiverEntries } from '../../../src/contract/receivers.ts';
import { BUILT_IN } from '../../../src/core/receivers/built-in.ts';

const parse = (receivers: unknown) => parseConfig(JSON.stringify({ receivers }));
const entry = (response: unknown, over: object = {}) => ({ entries: [{ id: 'a', steps: [{ response }], ...over }] });

describe('receivers of the config file', () => {
  it('take their defaults', () => {
    const parsed = parse(entry({ kind: 'status', status: 503 }));
    expect(parsed.ok && parsed.config.receivers?.entries).toEqual([
      {
        id: 'a',
        tls: false,
        steps: [{ response: { kind: 'status', status: 503, headers: [], body: '' }, times: 1, delayMs: 0 }],
        check: { on: true, onMismatch: 'reject', secret: 'shared' },
      },
    ]);
  });

  it.each([
    ['receivers.entries[0].steps[0].response.status', entry({ kind: 'status', status: 1000 })],
    ['receivers.entries[0].steps[0].response.kind', entry({ kind: 'explode' })],
    ['receivers.entries[0].steps[0].response.holdMs', entry({ kind: 'hang', holdMs: 0 })],
    ['receivers.entries[0].steps[0].response.body', entry({ kind: 'redirect', location: '/', body: '' })],
    ['receivers.entries[0].steps[0].response.location', entry({ kind: 'redirect', location: '/\r\nX: y' })],
    [
      'receivers.entries[0].steps[0].response.headers[0].name',
      entry({ kind: 'status', status: 200, headers: [{ name: 'Content-Length', value: '1' }] }),
    ],
    ['receivers.entries[0].id', entry({ kind: 'close' }, { id: 'Not/a/slug' })],
    ['receivers.entries[0].steps', { entries: [{ id: 'a', steps: [] }] }],
    ['receivers.port', { port: 65_536 }],
    ['receivers.entries', { entries: [1, 2].map(() => ({ id: 'a', steps: [{ response: { kind: 'close' } }] })) }],
  ])('are refused by the path of the field: %s', (path, receivers) => {
    const parsed = parse(receivers);
    expect(parsed.ok ? null : parsed.error).toMatchObject({ code: 'config_invalid', path });
  });

  it('may be as many as a workspace can hold, the built-in ones edited', () => {
    const ids = [
      ...BUILT_IN.map(({ id }) => id),
      ...Array.from({ length: RECEIVER_LIMITS.receivers }, (_, i) => `own-${i}`),
    ];
    const entries = ids.map((id) => ({ id, steps: [{ response: { kind: 'close' } }] }));
    expect(parse({ entries }).ok).toBe(true);
    expect(parse({ entries: [...entries, { ...entries[0]!, id: 'one-more' }] }).ok).toBe(false);
  });

  it('are as docs/receivers.md says: every response of its table is taken', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/receivers.md'), 'utf8');
    const responses = [...page.matchAll(/^\| `(\{"kind".*?\})` \|/gm)].map(([, json]) => JSON.parse(json!) as unknown);
    expect(responses.length).toBeGreaterThanOrEqual(11);
    const entries = [{ id: 'a', steps: responses.map((response) => ({ response })) }];
    expect(receiverEntries.safeParse(entries).error?.issues ?? []).toEqual([]);
  });
});
