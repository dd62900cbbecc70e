import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectContract } from '../../../src/contract/channel.ts';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import type { ChangeBatch, Hello } from '../../../src/contract/live.ts';
import {
  call,
  connectionState,
  retryNow,
  startConnection,
  stopConnection,
} from '../../../src/renderer/platform/connect.ts';
import { type Opener, TokenRefused } from '../../../src/renderer/platform/openers.ts';
import { feed } from '../../../src/renderer/stores/feed.ts';
import { clearRecords, useRecords } from '../../../src/renderer/stores/records.ts';
import { type SimEngine, startSimEngine } from '../../helpers/sim-engine.ts';

/** An opener whose channels the test can cut; it can be told to refuse, and its channels to let nothing through. */
function line() {
  const cuts: Array<() => void> = [];
  const control = { refuse: false, still: false, opened: 0, cut: () => cuts.pop()?.() };
  const opener: Opener = async (onClose) => {
    control.opened += 1;
    if (control.refuse) throw new Error('refused');
    const client = engine.open();
    cuts.push(() => {
      client.close();
      onClose();
    });
    const post = (text: string) => void (control.still || client.post(text));
    return { ...client, post };
  };
  return { control, opener };
}

/** What follows from all this, and the change batch about it. */
const turns = () => engine.pass();

const KEY = 'wk_dev_7f3a9c';
const config: Config = {
  sources: [{ name: 'web', writeKey: KEY, kind: 'web', enabled: true, webhooks: true }],
  webhooks: {
    entries: [1, 2, 3, 4, 5].map((n) => ({
      name: `hook ${n}`,
      url: `http://hook.test/${n}`,
      headers: {},
      enabled: true,
    })),
  },
};
const receive = () => engine.post('/v1/track', { userId: 'u', event: 'Signed Up' }, KEY);

let engine: SimEngine;
beforeEach(async () => {
  // Files and threads of the engine end in real turns.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  engine = await startSimEngine({ config });
});
afterEach(() => {
  stopConnection();
  clearRecords();
  vi.useRealTimers();
});

/** The text of a change batch that a window got before the one of the test connects. */
async function batchOfAnotherWindow(): Promise<string> {
  const channel = engine.open();
  let last = '';
  const onText = (listener: (text: string) => void) =>
    channel.onText((text) => {
      last = text;
      listener(text);
    });
  const other = connectContract({ ...channel, onText }, () => {});
  other.call('app.hello', {}).catch(() => {});
  await turns();
  await receive();
  await turns();
  other.close();
  channel.close();
  expect(last).toContain('"changes"');
  return last;
}

const hellos = () => engine.calls.filter(({ name }) => name === 'app.hello').map(({ input }) => input);

describe('connection', () => {
  it('greets, fills the records and is open', async () => {
    const { opener } = line();
    startConnection(opener, feed);
    expect(connectionState()).toBe('connecting');
    await turns();
    expect(connectionState()).toBe('open');
    expect(useRecords.getState()).toMatchObject({ ready: true, connection: 'open', resets: 0 });
    expect(useRecords.getState().webhooks).toHaveLength(5);
    expect(hellos()).toEqual([{}]);
  });

  it('says the last change it has seen when it comes back', async () => {
    const { control, opener } = line();
    startConnection(opener, feed);
    await turns();
    await receive();
    await turns();
    control.cut();
    expect(connectionState()).toBe('lost');
    await vi.advanceTimersByTimeAsync(250);
    await turns();
    expect(connectionState()).toBe('open');
    const { epoch, parts } = engine.engine;
    expect(parts.feed.seq).toBeGreaterThan(1);
    expect(hellos()).toEqual([{}, { since: { epoch, seq: parts.feed.seq } }]);
  });

  it('waits 250 ms, then twice as long each time up to 5 s, and starts over after success', async () => {
    const { control, opener } = line();
    control.refuse = true;
    startConnection(opener, feed);
    const waits: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      await turns();
      const before = control.opened;
      let waited = 0;
      while (control.opened === before) {
        await vi.advanceTimersByTimeAsync(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    control.refuse = false;
    await vi.advanceTimersByTimeAsync(5000);
    await turns();
    expect(connectionState()).toBe('open');
    control.cut();
    const opened = control.opened;
    await vi.advanceTimersByTimeAsync(250);
    expect(control.opened).toBe(opened + 1);
  });

  it('is lost 10 s after the last word of an engine that answers no more, and comes back with it', async () => {
    const { control, opener } = line();
    startConnection(opener, feed);
    await turns();
    control.still = true;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(connectionState()).toBe('open');
    const asked = expect(call('app.status')).rejects.toMatchObject({ code: 'stopped' });
    control.refuse = true;
    await vi.advanceTimersByTimeAsync(1);
    expect(connectionState()).toBe('lost');
    await asked;
    Object.assign(control, { still: false, refuse: false });
    retryNow();
    await turns();
    expect(connectionState()).toBe('open');
  });

  it('stays open over an engine that has nothing to say but answers', async () => {
    const { opener } = line();
    startConnection(opener, feed);
    await turns();
    for (let second = 0; second < 60; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      await turns();
    }
    expect([connectionState(), hellos().length]).toEqual(['open', 1]);
  });

  it('tries at once when the person asks', async () => {
    const { control, opener } = line();
    startConnection(opener, feed);
    await turns();
    control.cut();
    retryNow();
    await turns();
    expect(connectionState()).toBe('open');
  });

  it('rejects calls with a stable code while there is no connection', async () => {
    await expect(call('app.status')).rejects.toMatchObject({ code: 'stopped' });
    const { control, opener } = line();
    startConnection(opener, feed);
    await turns();
    const pending = call('app.status');
    control.cut();
    await expect(pending).rejects.toBeInstanceOf(ContractError);
    await expect(pending).rejects.toMatchObject({ code: 'stopped' });
  });

  it('passes on the engine\u2019s errors with code and field', async () => {
    const { opener } = line();
    startConnection(opener, feed);
    await turns();
    const bad = { name: 'x', url: 'ftp://x', headers: [], enabled: true };
    const saved = call('webhooks.save', bad);
    saved.catch(() => {});
    await turns();
    await expect(saved).rejects.toMatchObject({ code: 'invalid_url', field: 'url' });
  });

  it('stops trying when the engine does not know the token, and tries when it is asked to', async () => {
    const { control, opener } = line();
    let known = true;
    startConnection((onClose) => (known ? opener(onClose) : Promise.reject(new TokenRefused('unknown'))), feed);
    await turns();
    known = false;
    control.cut();
    await vi.advanceTimersByTimeAsync(250);
    expect(connectionState()).toBe('refused');
    known = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([connectionState(), control.opened]).toEqual(['refused', 1]);
    retryNow();
    await turns();
    expect(connectionState()).toBe('open');
  });

  it('applies a batch that overtakes the greeting after it, and none twice', async () => {
    const known = await batchOfAnotherWindow();
    const log: object[] = [];
    const heard = {
      ...feed,
      greeted: (hello: Hello) => void log.push({ greeting: hello.seq }),
      changed: (batch: ChangeBatch) => void log.push({ batch: batch.seq }),
    };
    let letGreetingIn = () => {};
    startConnection(async () => {
      const client = engine.open();
      const onText = (listener: (text: string) => void) => {
        let isFirst = true;
        client.onText((text) => {
          if (!isFirst) return listener(text);
          isFirst = false;
          // A batch of this moment, which the greeting has in it already.
          listener(known);
          letGreetingIn = () => listener(text);
        });
      };
      return { ...client, onText };
    }, heard);
    await turns();
    const { feed: engineFeed } = engine.engine.parts;
    const seq = engineFeed.seq;
    await receive();
    await turns();
    expect(log).toEqual([]);
    letGreetingIn();
    await turns();
    expect(engineFeed.seq).toBeGreaterThan(seq);
    expect([log[0], log.at(-1)]).toEqual([{ greeting: seq }, { batch: engineFeed.seq }]);
    expect(log).not.toContainEqual({ batch: seq });
  });

  it('tells the engine when the window is hidden', async () => {
    const { watchVisibility } = await import('../../../src/renderer/platform/connect.ts');
    const stop = watchVisibility();
    const { opener } = line();
    startConnection(opener, feed);
    await turns();
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    await turns();
    expect(engine.calls.at(-1)).toEqual({ name: 'app.visibility', input: { hidden: true } });
    stop();
    vi.restoreAllMocks();
  });
});
