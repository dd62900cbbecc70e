/** `hookbench verify`: whether a signature is that of a body, and if not, what the verifier did instead. */
import { readFileSync } from 'node:fs';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import type { AttemptVerdict } from '../contract/signature-lab.ts';
import { OTHER_SECRET, verdictLines } from '../contract/signature-words.ts';
import { explain } from '../core/signature-lab/explain.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { type Options, UsageError, type Values } from '../shell/option-table.ts';
import { type Environment, workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { withRunning } from './running.ts';
import { secretFrom } from './secret.ts';

const STDIN = 0;

const options = {
  body: { type: 'string', value: 'FILE', help: 'The body as it arrived, byte for byte; - reads standard input' },
  'secret-env': { type: 'string', value: 'NAME', help: 'The variable that holds the shared secret' },
  message: {
    type: 'string',
    value: 'ID',
    help: 'In place of the two: the last attempt of the message with this messageId, from a running instance',
  },
  workspace: workspaceOption,
  signature: {
    type: 'string',
    value: 'HEX',
    required: true,
    help: 'X-Signature, or the digest that your verifier computed',
  },
  json: { type: 'boolean', help: 'Print one JSON object: the verdict with its changes' },
} as const satisfies Options;

/**
 * Ends with 1 when the signature is not that of the body. Throws a {@link UsageError}; rejects with a `NotRunningError`
 * when `--message` finds no instance.
 */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Check the X-Signature of a body, and say what a verifier with another digest did.',
  options,
  run: async ({ values, env }) => {
    const { message, signature } = values;
    if (signature === undefined) throw new UsageError('--signature HEX is needed: X-Signature, or your digest.');
    if (message !== undefined && (values.body !== undefined || values['secret-env'] !== undefined))
      throw new UsageError('--message takes the place of --body and --secret-env.');
    const { verdict, bytes, hasOtherSecret } =
      message === undefined
        ? verdictOnFile(values, signature, env)
        : await verdictOnMessage(message, signature, workspaceFolder(values.workspace, env));
    const lines = verdictLines(verdict, bytes);
    if (hasOtherSecret) lines.push(OTHER_SECRET);
    const text =
      values.json === true
        ? jsonText({ ...verdict, hasOtherSecret, text: lines.join(' ') })
        : lines.map(terminalText).join('\n');
    process.stdout.write(`${text}\n`);
    return verdict.kind === 'match' ? exitCodes.ok : exitCodes.failed;
  },
});

type Judged = Pick<AttemptVerdict, 'verdict' | 'bytes' | 'hasOtherSecret'>;

function verdictOnFile(values: Values<typeof options>, digest: string, env: Environment): Judged {
  const secret = secretFrom(values['secret-env'], env);
  if (values.body === undefined) throw new UsageError('--body FILE is needed: the body as it arrived.');
  if (secret === null) throw new UsageError('--secret-env NAME is needed: the variable that holds the shared secret.');
  const body = readBody(values.body);
  return { verdict: explain({ body, secret, digest }), bytes: body.length, hasOtherSecret: false };
}

/** Of the last attempt: all send the same body, but for those of a replay that was edited. */
const verdictOnMessage = (messageId: string, digest: string, workspace: string): Promise<Judged> =>
  withRunning(workspace, async ({ call }) => {
    const { rows } = await call('attempts.list', { messageId, limit: 1_000 });
    const last = rows.at(-1);
    if (last === undefined) throw new UsageError(`No attempt was made for a message with the messageId ${messageId}.`);
    return call('signature.explain', { attemptId: last.id, digest });
  });

function readBody(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? STDIN : file);
  } catch (error) {
    throw new UsageError(`--body: ${(error as Error).message}`);
  }
}
