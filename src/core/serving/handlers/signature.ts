/** Why the digest of a verifier is not that of what an attempt sent. The shared secret itself is in no answer. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import { signatureOf } from '../../model/signature.ts';
import type { AttemptRecord } from '../../model/stored.ts';
import type { Clock, Timers } from '../../ports.ts';
import { explaining } from '../../signature-lab/explain.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The search takes up to a second in all, and the thread also receives and delivers. */
const TURN_MS = 4;

export interface SignatureDeps {
  readonly details: Pick<DetailStore, 'attempt' | 'wire'>;
  readonly workspace: Pick<Workspace, 'destination'>;
  readonly clock: Pick<Clock, 'mono'>;
  readonly timers: Pick<Timers, 'soon'>;
}

export function signatureHandlers(deps: SignatureDeps): Pick<Handlers, 'signature.explain'> {
  const { details, workspace } = deps;
  return {
    'signature.explain': async ({ attemptId, digest }) => {
      const attempt = details.attempt(attemptId);
      if (attempt === undefined) throw new ContractError('attempt_not_found');
      const body = details.wire(attempt.messageId);
      if (body === null) throw new ContractError('body_damaged');
      const { secret } = workspace.destination;
      if (secret.state === 'none') throw new ContractError('no_secret');
      if (secret.state === 'unreadable') throw new ContractError('secret_unreadable');
      const sent = sentSignature(attempt);
      return {
        verdict: await inTurns(explaining({ body, secret: secret.value, digest }), deps),
        bytes: body.length,
        sent,
        hasOtherSecret: sent !== null && sent !== signatureOf(secret.value, body),
      };
    },
  };
}

const sentSignature = ({ result }: AttemptRecord): string | null =>
  result?.requestHeaders.find(([name]) => name === 'X-Signature')?.[1] ?? null;

async function inTurns<T>(steps: Generator<void, T>, { clock, timers }: SignatureDeps): Promise<T> {
  for (;;) {
    const until = clock.mono() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (clock.mono() < until);
    await new Promise<void>((resolve) => timers.soon(resolve));
  }
}
