import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Variant } from '../../../src/contract/signature-lab.ts';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { explain } from '../../../src/core/signature-lab/explain.ts';
import { variantsOf } from '../../../src/core/signature-lab/variants.ts';

const SECRET = 'whsec_c2VjcmV0';
const BODY = Buffer.from('{"type":"track","name":"Zoë & Co","total":184.5,"url":"/a","none":null}');

function variants(): Variant[] {
  const steps = variantsOf(BODY, SECRET);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('the first is X-Signature itself, and no other one has its digest', () => {
  const right = signatureOf(SECRET, BODY);
  const [first, ...others] = variants();
  expect(first).toEqual({ changes: [], library: null, digest: right });
  expect(others.map(({ digest }) => digest)).not.toContain(right);
  expect(others.every(({ changes }) => changes.length > 0)).toBe(true);
});

test('the search explains each digest by its changes, or by its library', () => {
  for (const { changes, library, digest } of variants().slice(1)) {
    const verdict = explain({ body: BODY, secret: SECRET, digest });
    if (library === null) expect(verdict).toMatchObject({ kind: 'explained', changes });
    else expect(verdict).toMatchObject({ kind: 'explained', writers: expect.arrayContaining([library]) });
  }
});

test('single changes come before whole libraries, and changes of secret and hash last', () => {
  const all = variants();
  const at = (change: string) => all.findIndex(({ changes }) => changes.length === 1 && changes[0] === change);
  const python = all.findIndex(({ library }) => library === 'Python json.dumps');
  expect([at('spaced'), at('newline'), python, at('secret_newline'), at('hmac_sha256')]).toEqual(
    [at('spaced'), at('newline'), python, at('secret_newline'), at('hmac_sha256')].toSorted((a, b) => a - b),
  );
  expect(Math.min(at('spaced'), python)).toBeGreaterThan(0);
});

const NESTED = '{"type":"track","name":"Zoë & Co","properties":{"z":1,"name":"it\'s <b>","a":2}}';
const parsed = JSON.parse(NESTED) as Record<string, unknown>;
const outermostSorted = Object.fromEntries(Object.entries(parsed).sort(([a], [b]) => (a < b ? -1 : 1)));

test.each([
  ['keys_sorted_top', JSON.stringify(outermostSorted)],
  ['keys_listed', JSON.stringify(parsed, Object.keys(parsed).sort())],
  ['ascii_only', NESTED.replace('ë', '')],
  ['twice', NESTED + NESTED],
  [
    'html_text',
    NESTED.replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replace("'", '&#039;')
      .replace('<', '&lt;')
      .replace('>', '&gt;'),
  ],
])('a verifier with %s is named by that alone', (change, hashed) => {
  const digest = signatureOf(SECRET, Buffer.from(hashed));
  const verdict = explain({ body: Buffer.from(NESTED), secret: SECRET, digest });
  expect(verdict).toMatchObject({ kind: 'explained', changes: [change] });
});

test('URL encoding is named by the characters that it leaves', () => {
  const sent = '{"url":"/a b~","name":"Zoë\'s (1)!*"}';
  const python = '%7B%22url%22%3A%22/a%20b~%22%2C%22name%22%3A%22Zo%C3%AB%27s%20%281%29%21%2A%22%7D';
  const named = [encodeURIComponent(sent), python].map((hashed) =>
    explain({ body: Buffer.from(sent), secret: SECRET, digest: signatureOf(SECRET, Buffer.from(hashed)) }),
  );
  expect(named).toMatchObject([{ changes: ['url_encoded'] }, { changes: ['url_quoted'] }]);
});

test.each([
  ['sha1', [NESTED]],
  ['sha1_secret', [SECRET]],
  ['sha1_secret_body', [SECRET, NESTED]],
  ['sha1_body_secret', [NESTED, SECRET]],
])('a hash without HMAC is named as %s', (change, parts) => {
  const digest = createHash('sha1').update(parts.join('')).digest('hex');
  expect(explain({ body: Buffer.from(NESTED), secret: SECRET, digest })).toMatchObject({ changes: [change] });
});
