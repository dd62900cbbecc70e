import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyCommand } from '../../../src/cli/verify.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { runCommand } from '../../helpers/run-command.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const SECRET = 's3cret';
const BODY = '{"properties":{"coupon":"A & B"}}';

interface Asked {
  readonly signature: string;
  readonly options?: readonly string[];
  readonly body?: string;
  readonly secret?: string;
}

const verify = (signature: string, ...options: string[]) => printedFor({ signature, options });

/** What the command prints, and its exit code. */
async function printedFor({ signature, options = [], body = BODY, secret = SECRET }: Asked) {
  const file = join(tempWorkspace(), 'body.json');
  writeFileSync(file, body);
  const args = ['--body', file, '--signature', signature, '--secret-env', 'SHARED_SECRET', ...options];
  return runCommand(verifyCommand, args, { SHARED_SECRET: secret });
}

const digestOf = (text: string): string => signatureOf(SECRET, Buffer.from(text));

test('the signature of the body ends with 0', async () => {
  expect(await verify(digestOf(BODY))).toEqual({ text: 'The digest matches this body and secret.\n', code: 0 });
});

test('another one ends with 1 and says what the verifier did', async () => {
  expect(await verify(digestOf(BODY.replace('&', '\\u0026')))).toEqual({
    text:
      'The digest does not match this body and secret.\n' +
      'The verifier hashed an HTML-escaped body (< > & as \\u escapes) (known from Go json.Marshal of a map).\n' +
      `The first difference is at byte ${BODY.indexOf('&')} of ${BODY.length}, in properties.coupon.\n` +
      'Hash the bytes as they arrive, before anything parses or decodes them.\n',
    code: 1,
  });
});

test('docs/signature-lab.md shows what its example prints', async () => {
  const docs = readFileSync(resolve(import.meta.dirname, '../../../docs/signature-lab.md'), 'utf8');
  const example =
    /printf '(?<body>.+)' > body.bin\nexport SHARED_SECRET=(?<secret>.+)\n.*--signature (?<signature>\w+) /;
  const { body, secret, signature } = example.exec(docs)!.groups as Record<string, string>;
  const { text } = await printedFor({ body: body!, secret: secret!, signature: signature! });
  expect(text.split('\n')).toHaveLength(5);
  expect(docs).toContain(`\`\`\`\n${text}\`\`\``);
});

test('one that is not known ends with 1 and says how many were tried', async () => {
  const { text, code } = await verify('0'.repeat(40));
  expect([text, code]).toEqual([expect.stringMatching(/None of [\d,]+ known changes gives it\. Compare the bytes/), 1]);
});

test('one that is no digest ends with 1', async () => {
  const { text, code } = await verify('0'.repeat(39));
  expect([text, code]).toEqual(['This is not a hex digest. It has 39 characters, 40 expected.\n', 1]);
});

test('with --json the verdict, its changes and the hashed bytes come as one object', async () => {
  const { text, code } = await verify(digestOf(`${BODY}\n`).toUpperCase(), '--json');
  expect([JSON.parse(text), code]).toEqual([
    {
      kind: 'explained',
      form: 'upper_hex',
      changes: ['newline'],
      writers: [],
      hashed: {
        base64: Buffer.from(`${BODY}\n`).toString('base64'),
        difference: { at: BODY.length, field: '' },
      },
      hasOtherSecret: false,
      text: expect.stringContaining(`The first difference is after the last of ${BODY.length} bytes.`),
    },
    1,
  ]);
});

describe('wrong use is a usage error', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [['--signature', 'x', '--secret-env', 'S'], { S: 's' }, /--body FILE is needed/],
    [['--body', 'x', '--secret-env', 'S'], { S: 's' }, /--signature HEX is needed/],
    [['--body', 'x', '--signature', 'x'], {}, /--secret-env NAME is needed/],
    [['--body', 'x', '--signature', 'x', '--secret-env', 'S'], {}, /variable S is not set/],
    [['--body', 'x', '--signature', 'x', '--message', 'm'], {}, /--message takes the place of --body and --secret-env/],
    [['--secret-env', 'S', '--signature', 'x', '--message', 'm'], { S: 's' }, /--message takes the place/],
    [['--body', '/nowhere/x', '--signature', 'x', '--secret-env', 'S'], { S: 's' }, /--body: ENOENT/],
  ])('%j', async (args, env, message) => {
    await expect(runCommand(verifyCommand, args, env)).rejects.toThrow(message);
  });
});
