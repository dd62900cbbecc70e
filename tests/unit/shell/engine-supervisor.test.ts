import { describe, expect, test } from 'vitest';
import type { EngineThread } from '../../../src/core/engine/engine-thread.ts';
import { type EngineState, superviseEngine } from '../../../src/shell/engine-supervisor.ts';

/** Starts engines that end when told to, on a clock that moves when told to. */
function bench(failing: () => Error | null = () => null) {
  const state = { now: 0, starts: 0, stops: 0, end: (_error: Error | null) => {} };
  let due: { at: number; run: () => void } | null = null;
  const start = async (): Promise<EngineThread> => {
    const error = failing();
    if (error !== null) throw error;
    state.starts += 1;
    const exited = new Promise<Error | null>((resolve) => {
      state.end = resolve;
    });
    return {
      info: { workspace: '/w', notSending: [], listener: { state: 'listening', port: 1, message: null, holder: null } },
      connect: () => ({ post: () => {}, onText: () => {}, onClose: () => {}, close: () => {} }),
      stop: async () => {
        state.stops += 1;
        state.end(null);
      },
      exited,
    };
  };
  const after = (delayMs: number, run: () => void): (() => void) => {
    due = { at: state.now + delayMs, run };
    return () => {
      due = null;
    };
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const advance = async (ms: number): Promise<void> => {
    state.now += ms;
    if (due !== null && due.at <= state.now) {
      const { run } = due;
      due = null;
      run();
    }
    await settle();
  };
  const crash = async (): Promise<void> => {
    state.end(new Error('boom'));
    await settle();
  };
  return { state, crash, advance, ports: { start, after, now: () => state.now } };
}

const supervise = async (given = bench()) => {
  const engine = await superviseEngine(given.ports);
  const seen: EngineState[] = [];
  engine.onState((state) => void seen.push(state));
  return { ...given, engine, seen: () => seen.map(({ state }) => state) };
};

test('the first start that fails rejects with its own error and is not tried again', async () => {
  const error = new Error('no');
  const { ports, state } = bench(() => error);
  await expect(superviseEngine(ports)).rejects.toBe(error);
  expect(state.starts).toBe(0);
});

test('a crash is followed by a new start within a second; until then there is no connection', async () => {
  const { engine, crash, advance, state, seen } = await supervise();
  await crash();
  expect(engine.connect()).toBeNull();
  await advance(1_000);
  expect([state.starts, seen()]).toEqual([2, ['restarting', 'running']]);
  expect(engine.connect()).not.toBeNull();
});

test('an end without an error that nobody asked for is a crash too', async () => {
  const { state, advance, engine } = await supervise();
  state.end(null);
  await advance(1_000);
  await advance(1_000);
  expect([state.starts, engine.state().state]).toEqual([2, 'running']);
});

describe('five crashes in a minute', () => {
  const crashFiveTimes = async () => {
    const all = await supervise();
    for (let n = 0; n < 4; n++) {
      await all.crash();
      await all.advance(1_000);
    }
    expect(all.engine.state().state).toBe('running');
    await all.crash();
    return all;
  };

  test('are the last: it stops and says why', async () => {
    const { engine, advance, state } = await crashFiveTimes();
    expect(engine.state()).toEqual({ state: 'stopped', message: 'boom' });
    await advance(600_000);
    expect(state.starts).toBe(5);
  });

  test('until a person asks for another try', async () => {
    const { engine, state, advance, crash } = await crashFiveTimes();
    engine.retry();
    await advance(0);
    expect([engine.state().state, state.starts]).toEqual(['running', 6]);
    await crash();
    expect(engine.state().state).toBe('restarting');
  });
});

test('five crashes over more than a minute are each followed by a start', async () => {
  const { engine, crash, advance, state } = await supervise();
  for (let n = 0; n < 10; n++) {
    await crash();
    await advance(16_000);
  }
  expect([engine.state().state, state.starts]).toEqual(['running', 11]);
});

test('a restart that fails counts as a crash', async () => {
  let error: Error | null = null;
  const { engine, crash, advance, state } = await supervise(bench(() => error));
  error = new Error('cannot');
  await crash();
  for (let n = 0; n < 6; n++) await advance(1_000);
  expect([engine.state(), state.starts]).toEqual([{ state: 'stopped', message: 'cannot' }, 1]);
});

describe('stopping', () => {
  test('stops the engine once, is harmless when repeated, and is no crash', async () => {
    const { engine, state, seen, advance } = await supervise();
    await Promise.all([engine.stop(), engine.stop()]);
    await engine.stop();
    await advance(10_000);
    expect([state.stops, state.starts, seen()]).toEqual([1, 1, ['stopped']]);
    expect(engine.state()).toEqual({ state: 'stopped', message: null });
  });

  test('while it waits to start again cancels the start', async () => {
    const { engine, crash, advance, state } = await supervise();
    await crash();
    await engine.stop();
    await advance(10_000);
    engine.retry();
    await advance(0);
    expect(state.starts).toBe(1);
  });
});

describe('renewing', () => {
  test('stops the engine, does what must happen without one, and starts it the new way', async () => {
    const { ports, state } = bench();
    const engine = await superviseEngine(ports);
    const states: string[] = [];
    engine.onState((one) => states.push(one.state));
    let renewed = 0;
    await engine.renew(
      () => {
        renewed += 1;
        return ports.start();
      },
      () => states.push(`meanwhile, connected: ${engine.connect() !== null}, stops: ${state.stops}`),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(states).toEqual(['restarting', 'meanwhile, connected: false, stops: 1', 'running']);
    expect([renewed, state.starts]).toEqual([1, 2]);
  });

  test('does not begin once it is asked to stop', async () => {
    const { ports, state } = bench();
    const engine = await superviseEngine(ports);
    await engine.stop();
    await engine.renew(ports.start, () => {
      throw new Error('never');
    });
    expect(state.starts).toBe(1);
  });
});
