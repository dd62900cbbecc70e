/** `hookbench verify`: whether a signature is that of a body, and if not, what the verifier did instead. */
import { readFileSync } from 'node:fs';
import type { LabVerdict } from '../contract/signature-lab.ts';
import { verdictLines } from '../contract/signature-words.ts';
import { explain } from '../core/signature-lab/explain.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { UsageError } from '../shell/option-table.ts';
import { jsonText, terminalText } from '../shell/terminal.ts';
import { defineCommand } from './command.ts';
import { secretFrom } from './secret.ts';

const STDIN = 0;

/** Ends with 1 when the signature is not that of the body. Throws a {@link UsageError}. */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Check the X-Signature of a body, and say what a verifier with another digest did.',
  options: {
    body: {
      type: 'string',
      value: 'FILE',
      required: true,
      help: 'The body as it arrived, byte for byte; - reads standard input',
    },
    signature: {
      type: 'string',
      value: 'HEX',
      required: true,
      help: 'X-Signature, or the digest that your verifier computed',
    },
    'secret-env': { type: 'string', value: 'NAME', required: true, help: 'The variable that holds the shared secret' },
    json: { type: 'boolean', help: 'Print one JSON object: the verdict with its changes' },
  },
  run: ({ values, env }) => {
    const { body: file, signature } = values;
    const secret = secretFrom(values['secret-env'], env);
    if (file === undefined) throw new UsageError('--body FILE is needed: the body as it arrived.');
    if (signature === undefined) throw new UsageError('--signature HEX is needed: X-Signature, or your digest.');
    if (secret === null)
      throw new UsageError('--secret-env NAME is needed: the variable that holds the shared secret.');
    const body = readBody(file);
    const verdict = explain({ body, secret, digest: signature });
    const lines = verdictLines(verdict, body.length);
    const text =
      values.json === true
        ? jsonText({ ...plainVerdict(verdict), text: lines.join(' ') })
        : lines.map(terminalText).join('\n');
    process.stdout.write(`${text}\n`);
    return Promise.resolve(verdict.kind === 'match' ? exitCodes.ok : exitCodes.failed);
  },
});

function readBody(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? STDIN : file);
  } catch (error) {
    throw new UsageError(`--body: ${(error as Error).message}`);
  }
}

/** Bytes as base64: they need not be text. */
function plainVerdict(verdict: LabVerdict): object {
  if (verdict.kind !== 'explained' || verdict.hashed === null) return verdict;
  const { bytes, difference } = verdict.hashed;
  return { ...verdict, hashed: { base64: Buffer.from(bytes).toString('base64'), difference } };
}
