// A verifier with one mistake, named by the first argument. Reads the body, prints the digest that it computes.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const raw = readFileSync(0);
const secret = process.env.SECRET;
const sign = (body, key = secret, algorithm = 'sha1') => createHmac(algorithm, key).update(body).digest('hex');
const parsed = () => JSON.parse(raw.toString());
const mistakes = {
  stringify: () => sign(JSON.stringify(parsed())),
  stringify_indent: () => sign(JSON.stringify(parsed(), null, 2)),
  stringify_string: () => sign(JSON.stringify(raw.toString())),
  string_of_object: () => sign(String(parsed())),
  no_parser: () => sign(String(undefined)),
  base64_body: () => sign(raw.toString('base64')),
  url_encoded: () => sign(encodeURIComponent(raw.toString())),
  secret_undefined: () => sign(raw, String(process.env.SHARED_SECRT)),
  quoted_secret: () => sign(raw, `"${secret}"`),
  prefixed_secret: () => sign(raw, `whsec_${secret}`),
  hashed_first: () => sign(createHash('sha1').update(raw).digest('hex')),
  no_hmac_after: () => createHash('sha1').update(raw).update(secret).digest('hex'),
  prefixed_digest: () => `sha1=${sign(raw)}`,
  right: () => sign(raw),
};
process.stdout.write(mistakes[process.argv[2]]());
