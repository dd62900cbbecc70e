import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { SignatureScreen } from '../../../src/renderer/screens/signature/signature-screen.tsx';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { ONE_WEBHOOK, ORDER, WEBHOOKS } from '../detail/histories.ts';
import { openStage, type Stage } from '../detail/mount.tsx';

const SECRET = WEBHOOKS.sharedSecret as string;
const CALL = { ...ORDER, properties: { coupon: 'WINTER & CO' } };

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ config: ONE_WEBHOOK });
});
afterEach(() => stage.close());

const text = () => document.body.textContent ?? '';
const field = (label: string) =>
  [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.control as HTMLInputElement;
const region = (name: string) => document.querySelector<HTMLElement>(`section[aria-label="${name}"]`);

async function type(input: HTMLInputElement, value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await stage.pass(300);
}

/** Opens the lab on the attempt of a delivered call, and gives its body. */
async function lab(): Promise<Buffer> {
  await stage.post(CALL);
  await stage.pass(2_000);
  await stage.show(<SignatureScreen attemptId={1} />);
  const { bodyBase64 } = await stage.tell('signature.attempt', { attemptId: 1 });
  return Buffer.from(bodyBase64, 'base64');
}
const digestField = () => field('3. The digest your receiver computed');

async function paste(given: string): Promise<void> {
  const area = field("Or your receiver's bytes");
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files: [], getData: () => given } });
  await act(async () => void area.dispatchEvent(event));
  await stage.pass(300);
}

describe('the signature lab', () => {
  it('asks for a message first, and opens its newest attempt', async () => {
    await stage.show(<SignatureScreen attemptId={null} />);
    expect(text()).toContain('No message that is sent has arrived yet.');
    await stage.post(CALL);
    await stage.post({ ...ORDER, event: '' });
    await stage.pass(2_000);
    await stage.show(<div />);
    await stage.show(<SignatureScreen attemptId={null} />);
    // Nothing was signed for the rejected one.
    expect(document.querySelectorAll('li')).toHaveLength(1);
    await stage.click('button', /Order Completed/);
    expect(useRouteStore.getState().route).toEqual({ screen: 'signature', attemptId: 1 });
  });

  it('says that nothing was signed for a message without an attempt', async () => {
    await stage.tell('destination.save', { paused: true });
    await stage.post(CALL);
    await stage.show(<SignatureScreen attemptId={null} />);
    await stage.click('button', /Order Completed/);
    expect(text()).toContain('No request was made for this message, so nothing was signed.');
  });

  it('shows the bytes, hides the secret, and says what libraries would make of the body', async () => {
    const body = await lab();
    expect(document.querySelector('[aria-label="Body as sent"]')?.textContent).toBe(body.toString());
    expect(text()).toContain('round 1 on CRM sync, ');
    expect(text()).not.toContain(SECRET);
    expect(document.body.innerHTML).not.toContain(SECRET);
    const rows = [...region('If a verifier parses this body first')!.querySelectorAll('li')].map(
      (li) => li.textContent,
    );
    expect(rows[0]).toBe('JavaScriptJSON.stringify(JSON.parse(body))Writes the same bytes');
    expect(rows[2]).toContain('properties.coupon & becomes \\u0026');
  });

  it('explains a digest while it is typed: what was done, where, and how to mend it', async () => {
    const body = await lab();
    const hashed = Buffer.from(body.toString().replace('&', '\\u0026'));
    const digest = signatureOf(SECRET, hashed);
    await type(digestField(), digest.slice(0, 39));
    expect(text()).toContain('This is not a hex digest. It has 39 characters, 40 expected.');
    expect(digestField().getAttribute('aria-invalid')).toBe('true');
    await type(digestField(), digest);
    expect(text()).toContain('Explained: your receiver hashed an HTML-escaped body (< > & as \\u escapes)');
    const at = body.indexOf('&');
    expect(text()).toContain(`byte ${at} of ${body.length}, in properties.coupon`);
    const marked = (pane: string) =>
      [...region(`Bytes: ${pane}`)!.querySelectorAll('mark')].map(({ textContent }) => textContent).join('');
    expect([marked('Sent'), marked('Your receiver').startsWith('5c753030')]).toEqual(['26&', true]);
    const hit = [...region('Variants')!.querySelectorAll('li')].map((li) => li.lastChild?.textContent).slice(0, 3);
    expect(hit).toEqual(['Expected', 'Your digest', 'No match']);
  });

  it('says that the right digest matches', async () => {
    const body = await lab();
    await type(digestField(), signatureOf(SECRET, body));
    expect(text()).toContain('Match: this is the X-Signature of these bytes');
    expect(region('First difference')).toBeNull();
  });

  it('compares the bytes of the receiver, whatever the digest', async () => {
    const body = await lab();
    const own = body.toString().replace('WINTER', 'SUMMER');
    await paste(own);
    expect(text()).toContain(`byte ${body.indexOf('WINTER')} of ${body.length}, in properties.coupon`);
    await type(digestField(), signatureOf(SECRET, Buffer.from(own)));
    expect(text()).toContain('Mismatch, not explained yet');
    expect(text()).toContain('Your bytes give your digest with this secret.');
    await stage.click('button', 'Clear');
    await paste(body.toString());
    expect(text()).toContain("Your receiver's bytes are exactly those that were sent.");
  });

  it('takes a typed secret for the question, and the engine forgets it', async () => {
    const body = await lab();
    await stage.click('button', 'Type another');
    await type(document.querySelector('[aria-label="Secret"]')!, 'typed');
    await type(digestField(), signatureOf('typed', body));
    expect(text()).toContain('Match: this is the X-Signature of these bytes');
    await stage.click('button', 'Use the shared one');
    await stage.pass(300);
    expect(text()).not.toContain('Match: this');
  });

  it('shows how far a long search is, and a cancel asks no further', async () => {
    await lab();
    let next = () => {};
    stage.engine.answer('signature.search', (input: { search?: string }) =>
      input.search === undefined
        ? { done: false, search: '1', tried: 12_345 }
        : new Promise((resolve) => {
            next = () => resolve({ done: false, search: '1', tried: 23_456 });
          }),
    );
    await type(digestField(), '0'.repeat(40));
    expect(text()).toContain('12,345 digests compared so far.');
    await stage.click('button', 'Cancel');
    expect(text()).toContain('12,345 digests were compared, and none was yours.');
    const asked = stage.calls('signature.search').length;
    await act(async () => next());
    await stage.pass(1_000);
    expect(stage.calls('signature.search')).toHaveLength(asked);
    expect(text()).toContain('Cancelled');
  });

  it('says why an attempt cannot be shown', async () => {
    await stage.show(<SignatureScreen attemptId={99} />);
    expect(text()).toContain('There is no such attempt.');
    await stage.click('button', 'Pick a message');
    expect(useRouteStore.getState().route).toEqual({ screen: 'signature', attemptId: null });
  });
});
