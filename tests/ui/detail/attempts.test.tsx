/** The attempts of a message: the newest ones, and what one opens to. */
import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { reopen, retryNow, shown, stage, text } from './detail-stage.tsx';
import { answering, answers, CONFIG, KEY, ONE_WEBHOOK, ORDER, PHASES, retrying, WEBHOOKS } from './histories.ts';
import { hooks, KINDS } from './scenes.ts';

describe('message detail', () => {
  it('shows new attempts when the row changes, asking at most once in a quarter of a second', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.pass(1000);
    const calls = () => stage.calls('messages.attempts').length + stage.calls('messages.get').length;
    const asked = calls();
    answering(stage, 'a');
    await retryNow();
    // Every repeat of the call changes its row.
    for (let n = 0; n < 3; n += 1) {
      await act(async () => void (await stage.engine.post('/v1/track', ORDER, KEY)));
      await stage.pass(0);
    }
    await stage.pass(100);
    await stage.pass(250);
    await stage.pass(250);
    expect(calls() - asked).toBe(2);
    expect(text()).toContain('Delivered by CRM sync in round 8');
    expect(text()).toContain('Round 8');
  });

  it('asks for an open attempt until it has ended, and counts up meanwhile', async () => {
    await reopen(ONE_WEBHOOK);
    stage.engine.transport.on(hooks[0]!.url, answers('a', { afterMs: 1_500, durationMs: 1_500 }));
    await stage.post(ORDER);
    await stage.show(shown());
    await stage.pass(1_250);
    expect(text()).toMatch(/1\.[34] s/);
    const asked = stage.calls('messages.attempts').length;
    expect(asked).toBeGreaterThan(1);
    await stage.pass(1_000);
    const ended = stage.calls('messages.attempts').length;
    await stage.pass(5000);
    expect(stage.calls('messages.attempts').length).toBe(ended);
    expect(text()).toContain('1.50 s');
  });

  it('opens an attempt to its request, timing and reason', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(stage.page.querySelector('[data-attempt]')?.getAttribute('aria-expanded')).toBe('true');
    expect(text()).toContain('Failed with 503 Service Unavailable.');
    expect(text()).toContain('Wait for response');
    expect(text()).toContain('https://crm.acme.test/hooks/segment');
    expect(stage.calls('attempts.bodies')).toHaveLength(1);
  });

  it('goes through attempts with the bracket keys', async () => {
    await retrying(stage);
    const { attempts } = await stage.tell('messages.attempts', { id: 1 });
    await stage.show(shown());
    await stage.press('[');
    const last = attempts.at(-1)!;
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
    await stage.press('[');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(attempts.at(-2)!.id));
    await stage.press(']');
    expect(document.activeElement?.getAttribute('data-attempt')).toBe(String(last.id));
  });

  it('copies curl with a variable for a hidden value, and with the value only when asked for it', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (copied: string) => void written.push(copied) },
    });
    const entries = [{ ...WEBHOOKS.entries![0]!, headers: { 'X-Access': 'the-access' } }];
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, entries } });
    try {
      answering(stage, 'd');
      await stage.post(ORDER);
      await stage.show(shown());
      await stage.clickFirst('[data-attempt]');
      await stage.click('button', 'Copy as curl: this attempt');
      await stage.click('button', 'Copy with secrets as curl: this attempt');
      expect(written).toEqual([
        expect.stringContaining(`-H 'X-Access: '"\${HEADER_X_ACCESS:?`),
        expect.stringContaining(`-H 'X-Access: the-access'`),
      ]);
      expect(stage.page.innerHTML).not.toContain('the-access');
      stage.engine.failNext('webhooks.headerValue', new ContractError('app_only'));
      await stage.click('button', 'Copy with secrets as curl: this attempt');
      expect(written).toHaveLength(2);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('draws the phases of an attempt one after the other, with the limit and what is outside it', async () => {
    await retrying(stage);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    const timing = stage.page.querySelector('section[aria-label="Timing"]')!;
    expect(timing.textContent).toContain('184 ms of the 5 s limit');
    expect([...timing.querySelectorAll('dt')].map((name) => name.textContent)).toEqual([
      'Queue',
      'DNS lookup',
      'TCP connect',
      'TLS handshake',
      'Certificate check',
      'Send request',
      'Wait for response',
      'Read response',
      'Of the limit',
    ]);
    expect(timing.textContent).toContain('The queue is before the limit starts.');
    expect(timing.textContent).not.toContain('kept connection');
  });

  it('explains a kept connection', async () => {
    const phases = { ...PHASES, dnsMs: null, tcpMs: null, tlsMs: null, certificateMs: null };
    stage.engine.transport.on(hooks[0]!.url, answers('d', { phases }));
    await stage.post(ORDER);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(text()).toContain('Sent on a kept connection, so there was no lookup, connect or handshake.');
  });

  it('opens a refused certificate and keeps a trusted one folded', async () => {
    answering(stage, '', 'd', 'd', 'r');
    stage.engine.transport.on(hooks[0]!.url, answers('d', { certificate: KINDS.r.certificate! }));
    await stage.post(ORDER);
    const { attempts } = await stage.tell('messages.attempts', { id: 1 });
    await stage.show(shown());
    await stage.clickFirst(`[data-attempt="${attempts.at(-4)!.id}"]`);
    expect(text()).toContain('Certificate trusted, valid to 13 Jan 2031');
    expect(text()).not.toContain('SHA-256');
    await stage.click('button', 'View certificate');
    expect(text()).toContain('SHA-256');
    await stage.clickFirst(`[data-attempt="${attempts.at(-4)!.id}"]`);
    await stage.clickFirst(`[data-attempt="${attempts.at(-1)!.id}"]`);
    expect(text()).toContain('Refused: self-signed');
    expect(text()).toContain('SHA-256');
  });
});
