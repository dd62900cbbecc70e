/**
 * The receivers that every workspace has. A person can edit and reset them, but not remove them (docs/receivers.md).
 */
import type { Check, Receiver, Response, Step } from './program.ts';

const CHECK: Check = { on: true, onMismatch: 'reject', secret: 'shared' };

const status = (code: number): Response => ({ kind: 'status', status: code, headers: [], body: '' });
const always = (response: Response, delayMs = 0): Step[] => [{ response, times: 1, delayMs }];

const builtIn = (id: string, name: string, steps: readonly Step[], more: Partial<Receiver> = {}): Receiver => ({
  id,
  name,
  tls: false,
  steps,
  check: CHECK,
  ...more,
});

export const BUILT_IN: readonly Receiver[] = [
  builtIn('ok', 'Always 200', always(status(200))),
  builtIn('flaky', 'Flaky', [
    { response: status(500), times: 3, delayMs: 40 },
    { response: status(200), times: 1, delayMs: 40 },
  ]),
  builtIn('500', 'Always 500', always(status(500))),
  builtIn('slow', 'Slow', always(status(200), 3_200)),
  builtIn('timeout', 'Timeout', always({ kind: 'hang', holdMs: 30_000 })),
  builtIn('gone', 'Gone', always(status(410))),
  builtIn('redirect', 'Redirect', always({ kind: 'redirect', status: 302, location: '/r/ok' })),
  builtIn('badsig', 'Wrong secret', always(status(200)), { check: { ...CHECK, secret: 'wrong' } }),
  builtIn('tls', 'Self-signed', always(status(200)), { tls: true }),
];

export const isBuiltIn = (id: string): boolean => BUILT_IN.some((receiver) => receiver.id === id);
