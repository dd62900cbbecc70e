import { rootCertificates } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { PROFILE_NAMES } from '../../../src/core/model/vocabulary.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { PROFILES as OFFERED, PROFILE_WORDS } from '../../../src/renderer/lib/profiles.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import WebhooksScreen from '../../../src/renderer/screens/webhooks/webhooks-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { formatRoute, navigate, parseRoute } from '../../../src/renderer/stores/route.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import {
  blur,
  byName,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  press,
  type Rendered,
  render,
  settled,
  type as typeText,
} from '../base/harness.tsx';

let engine: SimEngine;
let shown: Rendered;
async function open(setup: SimEngineSetup = {}): Promise<void> {
  engine = await connectEngine(setup);
  navigate({ screen: 'webhooks', slot: null, rules: true });
  shown = await render(
    <>
      <WebhooksScreen />
      <ToastRegion />
    </>,
  );
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const text = () => document.body.textContent ?? '';
const saves = () => inputsOf('destination.save');
const field = (name: string) => byName('input:not([type="radio"])', name) as HTMLInputElement;
const rules = () => useRecords.getState().destination!;
async function enter(name: string, value: string): Promise<void> {
  await typeText(field(name), value);
  await press(field(name), 'Enter');
}
const rows = () =>
  [...document.querySelectorAll('[aria-label="Schedule as a table"] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  );

describe('the way there', () => {
  it('is a route of its own and a button on the card, and back', async () => {
    expect(parseRoute('#/webhooks/rules')).toEqual({ screen: 'webhooks', slot: null, rules: true });
    expect(formatRoute({ screen: 'webhooks', slot: null, rules: true })).toBe('#/webhooks/rules');
    await open();
    await click(byName('button', 'Back to webhooks'));
    expect(location.hash).toBe('#/webhooks');
    await click(byName('button', 'Edit rules'));
    expect(location.hash).toBe('#/webhooks/rules');
    expect(text()).toContain('Back to webhooks');
  });
});

describe('profiles', () => {
  it('offers those of the engine, each with what it is and where it comes from', async () => {
    expect([...OFFERED]).toEqual(PROFILE_NAMES);
    await open();
    for (const name of OFFERED) {
      const radio = byName('input[type="radio"]', PROFILE_WORDS[name].name);
      const about = document.getElementById(radio.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
      expect(about).toContain(PROFILE_WORDS[name].what);
      expect(about).toContain(PROFILE_WORDS[name].from);
    }
    expect(document.querySelectorAll('fieldset input[type="radio"]')).toHaveLength(4);
  });

  it('takes over all rules, says what that means for waiting messages, and can be undone', async () => {
    await open();
    const before = structuredClone(rules());
    await click(byName('input[type="radio"]', 'Classic as coded'));
    expect(saves()).toEqual([{ profile: 'classic' }]);
    expect(text()).toContain('Waiting messages keep their window. Their next wait follows the new rules.');
    expect(rules()).toMatchObject({ timeoutMs: 3_000, profile: 'classic' });
    await click(byName('button', 'Undo'));
    expect(rules()).toEqual(before);
  });

  it('becomes Own when a rule is changed, and goes back by Reset to Documented', async () => {
    await open();
    const reset = () => byName('button', 'Reset to Documented') as HTMLButtonElement;
    expect(reset().disabled).toBe(true);
    await enter('Time limit', '7');
    expect(saves()).toEqual([{ timeoutMs: 7_000 }]);
    expect((byName('input[type="radio"]', 'Own') as HTMLInputElement).checked).toBe(true);
    expect(field('Time limit').value).toBe('7 s');
    await click(reset());
    expect(rules().profile).toBe('documented');
    expect(document.querySelectorAll('fieldset input[type="radio"]')).toHaveLength(4);
  });
});

describe('a rule', () => {
  it('is refused under its field, with the old one active and nothing sent', async () => {
    await open();
    for (const [name, wrong, message] of [
      ['Time limit', '31 s', 'Enter a time from 1 s to 30 s.'],
      ['First wait', 'soon', '"soon" is not a time.'],
      ['Factor', '0', 'Enter a number from 1 to 100.'],
      ['Longest wait', '2 days', 'Enter a time from 1 ms to 1 d.'],
      ['Jitter', '120%', 'Enter a number from 0 to 100.'],
      ['Retry window', '8 days', 'Enter a time from 0 s to 7 d.'],
      ['User-Agent', 'Häkchen', 'ASCII'],
    ] as const) {
      await typeText(field(name), wrong);
      await blur(field(name));
      const about = document.getElementById(field(name).getAttribute('aria-describedby') ?? '')?.textContent;
      expect(about, name).toContain(message);
      expect(field(name).getAttribute('aria-invalid')).toBe('true');
    }
    expect(saves()).toEqual([]);
    expect(rules().profile).toBe('documented');
  });

  it('of the waits is saved with all the others, and the schedule follows', async () => {
    await open({ config: { clock: { speed: 60 } } });
    expect(rows().at(1)).toEqual(['2', '10 s', '+10 s', '+167 ms']);
    await enter('First wait', '1 min');
    const { seed } = rules().retry;
    expect(saves()).toEqual([
      { retry: { baseMs: 60_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0.2, seed } },
    ]);
    expect(rows().slice(0, 3)).toEqual([
      ['1', '', 'at once', 'at once'],
      ['2', '1 min', '+1 min', '+1 s'],
      ['3', '2 min', '+3 min', '+3 s'],
    ]);
    expect(document.querySelector('[role="img"][aria-label^="Schedule."]')?.getAttribute('aria-label')).toContain(
      'the first wait is 1 min',
    );
  });

  it('lists the waits that were drawn when the kind becomes Listed, and takes a list', async () => {
    await open();
    await click(byName('[role="radio"]', 'Listed'));
    expect(rules().retry.waitsMs?.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
    await enter('Waits', '5 s, 5 min');
    expect(rules().retry.waitsMs).toEqual([5_000, 300_000]);
    expect(rows()).toHaveLength(4);
    await enter('Waits', '5 s, later');
    expect(text()).toContain('"later" is not a time.');
    await click(byName('[role="radio"]', 'Growing'));
    expect(rules().retry.waitsMs).toBeUndefined();
    expect(rules().profile).toBe('documented');
  });

  it('of what is retried, Retry-After, redirects, body, signature and breaker is one click', async () => {
    await open();
    await click(byName('[role="checkbox"]', 'Retry Other 4xx and 3xx'));
    await click(byName('[role="checkbox"]', 'Retry Timeouts'));
    await click(byName('[role="switch"]', 'Follow Retry-After'));
    await click(byName('[role="radio"]', 'Followed'));
    await click(byName('[role="radio"]', 'Pass-through'));
    await click(byName('[role="radio"]', 'webhook-signature'));
    await click(byName('[role="radio"]', '10 s'));
    await click(byName('[role="switch"]', 'Leave failing webhooks out'));
    await enter('Errors', '3');
    await enter('Forgotten after', '10 min');
    expect(saves()).toEqual([
      { retryOn: ['failed', 'throttled', 'timed_out', 'no_connection', 'declined'] },
      { retryOn: ['failed', 'throttled', 'no_connection', 'declined'] },
      { retryAfter: false },
      { redirects: 'follow' },
      { body: 'pass-through' },
      { signature: 'standard-webhooks' },
      { timeoutMs: 10_000 },
      { breaker: { errors: 25, forgetMs: 180_000 } },
      { breaker: { errors: 3, forgetMs: 180_000 } },
      { breaker: { errors: 3, forgetMs: 600_000 } },
    ]);
  });

  it('that the engine refuses shows the error and keeps the old one', async () => {
    await open();
    engine.failNext('destination.save', new ContractError('store_not_writable'));
    await click(byName('[role="radio"]', 'Followed'));
    expect(text()).toContain('Could not save the delivery rules');
    expect(rules().redirects).toBe('decline');
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  });
});

describe('schedule', () => {
  it('tells clock time and real time apart, and no real time while the clock is paused', async () => {
    await open();
    await settled(call('clock.setSpeed', { speed: 240 }));
    expect(text()).toContain('Real time at 240×');
    expect(rows().at(-1)).toEqual(['Window ends', '+4 h', '+1 min']);
    await settled(call('clock.pause'));
    expect(text()).toContain('Real time, clock paused');
    expect(rows().map((row) => row.at(-1))).toEqual(rows().map(() => ''));
  });

  it('has a round for each of the profile and says when there are more than are listed', async () => {
    await open();
    await click(byName('input[type="radio"]', 'Standard Webhooks'));
    expect(rows()).toHaveLength(PROFILES['standard-webhooks'].retry.waitsMs.length + 2);
    await click(byName('[role="radio"]', 'Growing'));
    await enter('First wait', '1 ms');
    await enter('Longest wait', '1 ms');
    expect(text()).toContain('More rounds follow until the window ends.');
  });
});

describe('company authorities', () => {
  const files: Record<string, string> = {
    '/etc/ssl/acme.pem': rootCertificates.slice(0, 2).join('\n'),
    '/etc/hosts': '127.0.0.1 localhost\n',
  };
  const readFile = (path: string): Uint8Array => {
    const text = files[path];
    if (text === undefined) throw new Error(`There is no ${path}.`);
    return Buffer.from(text);
  };

  it('says how many certificates were read, and why a file is not used', async () => {
    await open({ readFile });
    await enter('PEM file', '/etc/ssl/acme.pem');
    expect(saves()).toEqual([{ caFile: '/etc/ssl/acme.pem' }]);
    expect(text()).toContain('2 certificates read.');
    await enter('PEM file', '/etc/hosts');
    const about = document.getElementById(field('PEM file').getAttribute('aria-describedby') ?? '')?.textContent;
    expect(about).toBe('The file holds no PEM certificate.');
    expect(rules().caFile?.path).toBe('/etc/ssl/acme.pem');
    await enter('PEM file', '');
    expect(saves().at(-1)).toEqual({ caFile: null });
  });

  it('says why the file of the last time is not used any more', async () => {
    await open({ readFile, config: { webhooks: { caFile: '/gone.pem' } } });
    expect(text()).toContain('Not used. The file cannot be read: There is no /gone.pem.');
  });
});
