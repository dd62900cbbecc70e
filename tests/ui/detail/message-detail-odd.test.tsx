/** What a message seldom comes to: a mistake of the engine, a late first attempt, 400 attempts, and every kind of end. */
import { describe, expect, it, vi } from 'vitest';
import type { AttemptView } from '../../../src/contract/values.ts';
import { RETRYABLE } from '../../../src/core/model/vocabulary.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { reopen, shown, stage, text } from './detail-stage.tsx';
import { answering, CONFIG, ONE_WEBHOOK, ORDER, RETRY, retrying, SOURCES, SPEED, WEBHOOKS } from './histories.ts';
import type { hooks } from './scenes.ts';

describe('message detail', () => {
  it('shows a hidden header by its length and never its value', async () => {
    const secret = 'Bearer very-secret-token-value';
    const [hook] = WEBHOOKS.entries!;
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, entries: [{ ...hook!, headers: { Authorization: secret } }] } });
    await retrying(stage);
    // A value beside the length would be the engine's mistake; the page must not show it either.
    let mistakes = 0;
    const mistaken = <T extends { attempts: AttemptView[] }>(told: T): T => ({
      ...told,
      attempts: told.attempts.map((one) => ({
        ...one,
        requestHeaders: one.requestHeaders.map((header) => {
          if (!('hiddenLength' in header)) return header;
          mistakes += 1;
          return { ...header, value: secret };
        }),
      })),
    });
    for (const name of ['messages.get', 'messages.attempts'] as const) stage.engine.amend(name, mistaken);
    await stage.show(shown());
    await stage.clickFirst('[data-attempt]');
    expect(mistakes).toBeGreaterThan(0);
    expect(text()).toContain('hidden, 30 characters');
    expect(stage.page.innerHTML).not.toContain('very-secret');
  });

  it('counts offsets from the first request and the window from its commit a moment before', async () => {
    const lateMs = 2_000;
    const { dispatcher, stores, ports } = stage.engine.engine.parts;
    const write = stores.rounds.write.bind(stores.rounds);
    // The round is not written with its message, and the store takes its time over the round's own commit.
    vi.spyOn(dispatcher, 'mayBeginNow', 'get').mockReturnValue(false);
    vi.spyOn(stores.rounds, 'write').mockImplementationOnce(async (take, rows) => {
      await new Promise<void>((resolve) => void ports.timers.after(lateMs / SPEED, resolve));
      return write(take, rows);
    });
    await retrying(stage);
    const { message, attempts } = await stage.tell('messages.get', { id: 1 });
    expect(attempts[0]!.clockAt - message.firstAttemptAt!).toBeGreaterThanOrEqual(lateMs);
    await stage.show(shown());
    await stage.click('button', /^Schedule/);
    const offsets = [...stage.page.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map(
      (row) => row.querySelectorAll('td')[1]?.textContent,
    );
    expect(offsets.slice(0, 2)).toEqual(['at once', '+10 s']);
    expect(offsets.at(-1)).toBe('+4 h');
    expect([...stage.page.querySelectorAll('svg text')].map((label) => label.textContent)).toContain('4 h');
  });

  it('draws 400 attempts, the rounds beyond 50 on demand', async () => {
    const everyMs = 181_000;
    const entries = WEBHOOKS.entries!.map((hook) => ({ ...hook, enabled: true }));
    const retry = { ...RETRY, baseMs: everyMs, maxMs: everyMs };
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, entries, retry }, clock: { speed: 240 } });
    answering(stage, 'f', 'f', 'f', 'f', 'f');
    await stage.post(ORDER);
    await stage.skip(RETRY.windowMs / 240);
    const { message, attempts } = await stage.tell('messages.get', { id: 1 });
    expect([message.state, message.round, attempts.length]).toEqual(['expired', 80, 400]);
    await stage.show(shown());
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(50);
    await stage.click('button', 'Show 30 older rounds');
    expect(stage.page.querySelectorAll('section[aria-label^="Round "]')).toHaveLength(80);
  });

  const hold = (paused: boolean) => stage.tell('destination.save', { paused });
  const post = () => stage.post(ORDER);
  /** Every message expires after its first round. */
  const expireAfter = async (...letters: string[]) => {
    const entries = WEBHOOKS.entries!.slice(0, letters.length);
    const rules = { retry: { ...RETRY, windowMs: 0 }, retryOn: [...RETRYABLE] };
    await reopen({ ...CONFIG, webhooks: { ...WEBHOOKS, ...rules, entries } });
    answering(stage, ...letters);
    await post();
  };
  const endings: ReadonlyArray<readonly [string, string, string | null, string, () => Promise<unknown>]> = [
    ['To be sent', 'queued', null, '', () => hold(true).then(post)],
    [
      'To be sent',
      'paused',
      null,
      'failed',
      async () => {
        await reopen(ONE_WEBHOOK);
        answering(stage, 'f');
        await post();
        const [{ id, name, url }] = useRecords.getState().webhooks as [(typeof hooks)[0]];
        await stage.tell('webhooks.save', { id, name, url, enabled: false, headers: [] });
      },
    ],
    ['Delivered', 'delivered', null, 'accepted', () => reopen(ONE_WEBHOOK).then(post)],
    [
      'Would be sent',
      'delivered',
      'every_webhook_left_out',
      '',
      async () => {
        const webhooks = { ...ONE_WEBHOOK.webhooks, breaker: { errors: 1, forgetMs: 60_000 } };
        await reopen({ ...ONE_WEBHOOK, webhooks });
        answering(stage, 'f');
        await post();
        await stage.post({ ...ORDER, messageId: 'after-the-breaker' });
      },
    ],
    ['Would be sent', 'not_selected', 'no_webhook', '', () => reopen({ sources: SOURCES }).then(post)],
    [
      'Would be sent',
      'stopped',
      null,
      '',
      async () => {
        await hold(true);
        await post();
        await stage.tell('messages.stop', { id: 1 });
      },
    ],
    ['Would be sent', 'expired', null, 'refused_certificate', () => expireAfter('r')],
    ['Sent', 'expired', null, 'refused_certificate timed_out', () => expireAfter('r', 't')],
    [
      'Delivered',
      'failed',
      null,
      'declined',
      async () => {
        await reopen(ONE_WEBHOOK);
        answering(stage, 'd');
        await post();
        answering(stage, 'a');
        await stage.tell('replay.send', { id: 1, webhookIds: [1] });
      },
    ],
  ];
  it.each(endings)('calls the bytes of a message "%s" in the state %s, %s, after: %s', async (...ending) => {
    const [word, state, reason, outcomes, make] = ending;
    await make();
    const { rows } = await stage.tell('messages.list', { filter: {}, limit: 1 });
    const { message, attempts } = await stage.tell('messages.get', { id: rows[0]!.id });
    expect([message.state, message.reason]).toEqual([state, reason]);
    expect(attempts.map(({ outcome }) => outcome).join(' ')).toBe(outcomes);
    await stage.show(shown(message.id, 'payload'));
    await stage.pass(300);
    const words = [...stage.page.querySelectorAll('[role="radio"]')].map((one) => one.textContent);
    expect(words).toEqual(['Received', word]);
  });
});
