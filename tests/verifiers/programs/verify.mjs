// A verifier with many mistakes. For each line, a mistake and a body in base64, it prints the digest that it computes.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const secret = process.env.SECRET;
const sign = (body, key = secret, algorithm = 'sha1') => createHmac(algorithm, key).update(body).digest('hex');
const parsed = (raw) => JSON.parse(raw.toString());
const mistakes = {
  stringify: (raw) => sign(JSON.stringify(parsed(raw))),
  stringify_indent: (raw) => sign(JSON.stringify(parsed(raw), null, 2)),
  stringify_string: (raw) => sign(JSON.stringify(raw.toString())),
  string_of_object: (raw) => sign(String(parsed(raw))),
  no_parser: () => sign(String(undefined)),
  base64_body: (raw) => sign(raw.toString('base64')),
  url_encoded: (raw) => sign(encodeURIComponent(raw.toString())),
  secret_undefined: (raw) => sign(raw, String(process.env.SHARED_SECRT)),
  quoted_secret: (raw) => sign(raw, `"${secret}"`),
  prefixed_secret: (raw) => sign(raw, `whsec_${secret}`),
  hashed_first: (raw) => sign(createHash('sha1').update(raw).digest('hex')),
  no_hmac_after: (raw) => createHash('sha1').update(raw).update(secret).digest('hex'),
  prefixed_digest: (raw) => `sha1=${sign(raw)}`,
  right: (raw) => sign(raw),
};
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [mistake, body] = line.split(' ');
  console.log(mistakes[mistake](Buffer.from(body, 'base64')));
}
