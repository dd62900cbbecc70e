/** The snippets of the Signature tab, each in its own language, on what a real engine delivered. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERIFY_LANGUAGES } from '../../src/renderer/message/verify-snippets.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { snippetIn } from '../verifiers/snippets.ts';

const SECRET = "whsec_Zoë's key #1";

async function delivery() {
  const receiver = await startReceiver({ status: 200 });
  const { post, messageWhen } = await startEngine({ config: configOf([receiver.url], { secret: SECRET }) });
  await post('/v1/track', {
    userId: 'usr/ë',
    event: 'A & <B> 😀',
    properties: { total: 1.5, 10: 'x' },
    messageId: 'm',
  });
  await messageWhen('m', ({ state }) => state === 'delivered');
  const { body, headers } = receiver.requests[0]!;
  return { body, header: String(headers['x-signature']) };
}

test.each(VERIFY_LANGUAGES)(
  '%s takes a delivery, and refuses one with another byte, key or header',
  async (language) => {
    const isSigned = snippetIn(language, join(tempWorkspace(), 'snippet'));
    if (isSigned === null) return console.log(`${language}: not installed, not run`);
    const { body, header } = await delivery();
    const changed = Buffer.from(body);
    changed[changed.length - 2]! ^= 1;
    const other = `${header.slice(0, -1)}${header.endsWith('0') ? '1' : '0'}`;
    expect([
      isSigned(body, header, SECRET),
      isSigned(changed, header, SECRET),
      isSigned(body, header, 'another'),
      isSigned(body, other, SECRET),
      isSigned(body, '', SECRET),
    ]).toEqual(['true', 'false', 'false', 'false', 'false']);
  },
);
