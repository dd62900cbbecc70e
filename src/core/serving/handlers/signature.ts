/** What an attempt sent, and why the digest of a verifier is not that of it. The shared secret itself is in no answer. */
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { AttemptVerdict } from '../../../contract/signature-lab.ts';
import { signatureOf } from '../../model/signature.ts';
import type { AttemptRecord } from '../../model/stored.ts';
import { explaining } from '../../signature-lab/explain.ts';
import { firstDifference } from '../../signature-lab/first-difference.ts';
import { hazardsOf } from '../../signature-lab/hazards.ts';
import { Searches, type SearchPart } from '../../signature-lab/searches.ts';
import { inTurns, type TurnDeps } from '../../signature-lab/turns.ts';
import { variantsOf } from '../../signature-lab/variants.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { DueStore } from '../../store/ports/due.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import type { ReplayStore } from '../../store/ports/replays.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { storedBytes } from '../replay-asks.ts';
import { attemptView, messageRow } from '../views.ts';
import { recordOf } from './message-record.ts';

export interface SignatureDeps extends TurnDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly details: Pick<DetailStore, 'attempt' | 'replay' | 'request'>;
  readonly due: Pick<DueStore, 'wire'>;
  readonly replays: Pick<ReplayStore, 'bodyOf'>;
  readonly workspace: Pick<Workspace, 'destination'>;
}

type SignatureCommand =
  | 'signature.attempt'
  | 'signature.explain'
  | 'signature.search'
  | 'signature.variants'
  | 'signature.compare';

/** The facts of an attempt beside the verdict on it. */
type Facts = Omit<AttemptVerdict, 'verdict'>;

export function signatureHandlers(deps: SignatureDeps): Pick<Handlers, SignatureCommand> {
  const { lists, workspace } = deps;
  const searches = new Searches<Facts>(deps);
  const asked = (attemptId: number, typed: string | undefined) => {
    const { attempt, body } = sentBy(deps, attemptId);
    return { body, secret: typed ?? sharedSecret(workspace), facts: factsOf(attempt, body, workspace) };
  };
  return {
    'signature.attempt': ({ attemptId }) => {
      const { attempt, body } = sentBy(deps, attemptId);
      const { secret } = workspace.destination;
      return {
        attempt: attemptView(attempt),
        message: messageRow(recordOf(lists, attempt.messageId)),
        bodyBase64: Buffer.from(body).toString('base64'),
        sent: sentSignature(attempt),
        expected: secret.state === 'set' ? signatureOf(secret.value, body) : null,
        hazards: hazardsOf(body),
      };
    },
    'signature.explain': async ({ attemptId, digest, secret: typed }) => {
      const { body, secret, facts } = asked(attemptId, typed);
      return { verdict: await inTurns(explaining({ body, secret, digest }), deps), ...facts };
    },
    'signature.search': async (input) => {
      if ('search' in input) return answerOf(await (searches.goOn(input.search) ?? notFound()));
      const { body, secret, facts } = asked(input.attemptId, input.secret);
      return answerOf(await searches.begin({ body, secret, digest: input.digest }, facts));
    },
    'signature.variants': async ({ attemptId, secret: typed }) => {
      const { body, secret } = asked(attemptId, typed);
      return { variants: await inTurns(variantsOf(body, secret), deps) };
    },
    'signature.compare': ({ attemptId, bytesBase64, secret: typed }) => {
      const { body, secret } = asked(attemptId, typed);
      const bytes = Buffer.from(bytesBase64, 'base64');
      const difference = bytes.equals(body) ? null : firstDifference(body, bytes);
      return { difference, digest: signatureOf(secret, bytes) };
    },
  };
}

function sentBy(deps: SignatureDeps, attemptId: number) {
  const attempt = deps.details.attempt(attemptId);
  if (attempt === undefined) throw new ContractError('attempt_not_found');
  return { attempt, body: bodyOf(deps, attempt) };
}

/** All attempts of a message send the stored bytes, but for those of a replay that was edited. */
function bodyOf(deps: SignatureDeps, { replayId, messageId }: AttemptRecord): Uint8Array {
  const replay = replayId === null ? undefined : deps.details.replay(replayId);
  if (replay?.sent !== 'edited') return storedBytes(deps, recordOf(deps.lists, messageId)).wire;
  const edited = deps.replays.bodyOf(replay.id);
  if (edited === null) throw new ContractError('body_damaged');
  return edited;
}

function sharedSecret({ destination: { secret } }: SignatureDeps['workspace']): string {
  if (secret.state === 'none') throw new ContractError('no_secret');
  if (secret.state === 'unreadable') throw new ContractError('secret_unreadable');
  return secret.value;
}

/** Whether the secret has changed shows only while there is one. */
function factsOf(attempt: AttemptRecord, body: Uint8Array, { destination: { secret } }: SignatureDeps['workspace']) {
  const sent = sentSignature(attempt);
  const hasOtherSecret = sent !== null && secret.state === 'set' && sent !== signatureOf(secret.value, body);
  return { bytes: body.length, sent, hasOtherSecret } satisfies Facts;
}

const sentSignature = ({ result }: AttemptRecord): string | null =>
  result?.requestHeaders.find(([name]) => name === 'X-Signature')?.[1] ?? null;

const answerOf = (part: SearchPart<Facts>) =>
  part.done ? { done: true as const, verdict: part.verdict, ...part.context } : part;

function notFound(): never {
  throw new ContractError('search_not_found');
}
