import { URL as NodeUrl } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RECEIVER_LIMITS } from '../../../src/contract/receiver-limits.ts';
import { receiverEntry } from '../../../src/contract/receivers.ts';
import { takenPort } from '../../helpers/taken-port.ts';
import { byName, click, press, type as typeText, until } from '../base/harness.tsx';
import { CONFIG, close, dialog, hits, inputs, open, openRunning, row, send, text, view } from './world.tsx';

describe('the list', () => {
  it('shows every receiver with its behaviour, verdict and hits, and the first one when none is chosen', async () => {
    await openRunning(null);
    expect([await send('flaky'), await send('flaky'), await send('badsig')]).toEqual([500, 500, 401]);
    await until(() => hits('flaky') === '2' && hits('badsig') === '1');
    expect(text()).toContain(`9 running on localhost:${view().http.port}`);
    expect(row('flaky').textContent).toContain('500 three times, then 200');
    expect(row('flaky').textContent).toContain('Verified');
    expect(row('badsig').textContent).toContain('Mismatch');
    expect(row('tls').textContent).toContain('Never reached');
    expect(row('ok').getAttribute('aria-selected')).toBe('true');
    expect(document.querySelector('aside h2')?.textContent).toBe('Always 200');
  });

  it('is walked with the arrows; Enter goes into the receiver and Escape comes back', async () => {
    await open({}, 'ok');
    row('ok').focus();
    await press(row('ok'), 'ArrowDown');
    expect(row('flaky').getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(row('flaky'));
    await press(row('flaky'), 'End');
    expect(document.activeElement).toBe(row('tls'));
    await press(row('tls'), 'Enter');
    expect((document.activeElement as HTMLElement).dataset.region).toBe('detail');
    await press(document.activeElement as HTMLElement, 'Escape');
    expect(document.activeElement).toBe(row('tls'));
  });

  it('follows hits as they come', async () => {
    await openRunning('ok');
    for (const count of ['1', '2']) {
      expect(await send('ok')).toBe(200);
      await until(() => hits('ok') === count);
    }
  });
});

describe('a receiver as webhook', () => {
  it('is added with one click and then names its webhook', async () => {
    await openRunning();
    await click(byName('button', 'Use as webhook'));
    expect(inputs('receivers.useAsWebhook')).toEqual([{ id: 'flaky' }]);
    expect(text()).toContain('Used by webhook 1');
    expect(text()).toContain('Added as webhook 1');
  });

  it('says when all five are used', async () => {
    const entries = [1, 2, 3, 4, 5].map((n) => ({
      name: `${n}`,
      url: `http://w${n}.test/`,
      headers: {},
      enabled: true,
    }));
    await openRunning('gone', { webhooks: { ...CONFIG.webhooks, entries } });
    expect((byName('button', 'Use as webhook') as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('a person’s own receivers', () => {
  it('come from a preset in one click, with a name or without', async () => {
    await open();
    await click(byName('button', 'New receiver'));
    await typeText(byName('input', 'Name'), 'My throttler');
    await click(byName('[role="dialog"] button', /^Throttles/));
    expect(inputs('receivers.save').at(-1)).toMatchObject({ name: 'My throttler', tls: false });
    expect(document.querySelector('aside h2')?.textContent).toBe('My throttler');
    await click(byName('button', 'New receiver'));
    await click(byName('[role="dialog"] button', /^Self-signed/));
    expect(inputs('receivers.save').at(-1)).toMatchObject({ name: 'Self-signed', tls: true });
  });

  it('say in the dialog why one could not be added', async () => {
    const entries = Array.from({ length: RECEIVER_LIMITS.receivers }, (_, i) =>
      receiverEntry.parse({ id: `own-${i}`, steps: [{ response: { kind: 'close' } }] }),
    );
    await open({ config: { receivers: { entries } } });
    await click(byName('button', 'New receiver'));
    await click(byName('[role="dialog"] button', /^Closes/));
    expect(dialog()).toContain('All 50 receivers of your own are in use.');
  });
});

describe('while receivers do not listen', () => {
  /** A worker that runs this. */
  const worker = (code: string) => new NodeUrl(`data:text/javascript,${encodeURIComponent(code)}`);

  it('a taken port is named with who has it, and the next one takes one click', async () => {
    const port = await takenPort(2);
    await open({ receivers: { port, httpsPort: port + 1 } }, 'ok');
    await until(() => view().https.state === 'listening');
    expect(text()).toContain(`Port ${port} is in use. Receivers are off.`);
    expect(text()).toMatch(new RegExp(`\\S+ \\(process ${process.pid}\\) is listening on 127\\.0\\.0\\.1:${port}\\.`));
    expect(document.querySelector('aside')?.textContent).not.toContain('Copy URL');
    await click(byName('button', `Use ${port + 2}`));
    expect(inputs('receivers.listen')).toEqual([{ port: port + 2 }]);
    await until(() => text().includes(`running on localhost:${port + 2}`));
  });

  it('they are starting, or off for this start', async () => {
    await open({ receivers: { worker: worker('setInterval(() => {}, 1e6)') } }, 'ok');
    expect(row('ok').textContent).toContain('Starting');
    close();
    await open({}, 'ok');
    expect(text()).toContain('Receivers are off for this start.');
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });

  it('one banner says that the worker has ended', async () => {
    await open({ receivers: { worker: worker('throw new Error("Out of memory.")') } }, 'ok');
    await until(() => view().https.state === 'failed');
    expect(document.querySelectorAll('[role="alert"]')).toHaveLength(1);
    expect(text()).toContain('The receivers ended. Out of memory.');
    await click(byName('button', 'Try again'));
    expect(inputs('receivers.listen')).toEqual([{}]);
  });
});
