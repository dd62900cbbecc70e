import { describe, expect, it } from 'vitest';
import { reopen, shown, stage, text } from './detail-stage.tsx';
import { CONFIG, ORDER, retrying, SOURCES } from './histories.ts';

describe('payload', () => {
  it('shows the signature in groups of eight, and says when there is none', async () => {
    await retrying(stage);
    await stage.show(shown(1, 'payload'));
    await stage.click('radio', 'To be sent');
    expect(text()).toContain('Exactly these bytes go to every webhook, in every attempt. None has accepted them yet.');
    const groups = [...stage.page.querySelectorAll('[aria-label="X-Signature"] p:first-of-type span')].map(
      (one) => one.textContent,
    );
    const sent = new Map(stage.engine.transport.sent[0]!.headers).get('X-Signature');
    expect(groups).toEqual(sent?.match(/.{8}/g));
    expect(groups).toHaveLength(5);
    await stage.tell('destination.setSecret', { secret: null });
    await stage.pass(300);
    expect(text()).toContain('Requests are not signed. Add a shared secret to send X-Signature.');
  });

  it('tells why a call was not selected, and what was noted', async () => {
    await reopen({ ...CONFIG, sources: [{ ...SOURCES![0]!, name: 'ios-app', webhooks: false }] });
    const aheadMs = 2 * 60_000;
    const sentAt = new Date(Date.now() + aheadMs).toISOString();
    await stage.post({ ...ORDER, timestamp: sentAt, sentAt });
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Not selected. The source ios-app has the destination off.');
    expect(stage.page.querySelector('[aria-label="Notes"]')?.textContent).toContain('corrected');
  });

  it('has no delivered side for a rejected call, and request facts for what was no call', async () => {
    await stage.post(`{\n  "batch": [\n    {"type": oops}]}`, '/v1/batch', { Cookie: 'session=01234567890123456x' });
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('Rejected: the body is not valid JSON. Unexpected token at line 3, column 14.');
    expect([...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent)).toEqual(['Received']);
    expect(text()).toContain('POST /v1/batch');
    expect(text()).toContain('hidden, 26 characters');
  });

  it('shows numbers as they were sent, not as they were parsed', async () => {
    await stage.post('{"userId":"u","event":"Counted","properties":{"n":12345678901234567890,"z":1.0}}');
    await stage.show(shown(1, 'payload'));
    expect(text()).toContain('12345678901234567890');
    expect(text()).toContain('1.0');
  });
});
