/** A page over the stand-in engine, for what no real engine tells. */
import { act } from 'react';
import { vi } from 'vitest';
import type { MessageDetail } from '../../../src/contract/values.ts';
import { channelPair, createFakeEngine, type FakeEngine } from '../../helpers/fake-engine.ts';
import { NOW, openPage, type Page } from './mount.tsx';
import { hooks } from './scenes.ts';

export interface FakeStage extends Page {
  readonly engine: FakeEngine;
  /** Puts a message into the engine, with what it tells of it. */
  put(detail: MessageDetail): Promise<void>;
}

export async function openFakeStage(): Promise<FakeStage> {
  vi.useFakeTimers({ now: NOW });
  const engine = createFakeEngine({ rows: 20, speed: 60, now: () => Date.now() });
  const details = new Map<number, MessageDetail>();
  const handlers = engine.handlers as unknown as Record<string, (input: never) => unknown>;
  const wrap = (name: string, answer: (input: { id: number }, usual: (input: never) => unknown) => unknown) => {
    const usual = handlers[name]!;
    handlers[name] = ((input: { id: number }) => answer(input, usual)) as (input: never) => unknown;
  };
  const known = (id: number): MessageDetail | undefined => {
    const detail = details.get(id);
    const row = engine.row(id);
    return detail === undefined || row === undefined ? undefined : { ...detail, message: row };
  };
  wrap('app.hello', (input, usual) => ({ ...(usual(input as never) as object), webhooks: hooks }));
  wrap('messages.get', (input, usual) => {
    const real = usual(input as never);
    return known(input.id) ?? real;
  });
  wrap('messages.attempts', (input, usual) => {
    const real = usual(input as never);
    const detail = known(input.id);
    return detail === undefined
      ? real
      : { attempts: detail.attempts, replays: detail.replays, lineUps: detail.lineUps };
  });
  const pass = async (ms = 0) => {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
      await vi.advanceTimersByTimeAsync(0);
    });
  };
  const page = await openPage(async () => {
    const [near, far] = channelPair();
    const peer = engine.connect(far);
    return { ...near, close: () => engine.disconnect(peer) };
  }, pass);
  return {
    ...page,
    engine,
    put: async (detail) => {
      details.set(detail.message.id, detail);
      engine.update(detail.message.id, detail.message);
      await pass();
    },
  };
}
