/** Mounts a piece of the interface over the stand-in engine, in a page whose time stands still until moved. */
import { Tooltip } from '@base-ui/react/tooltip';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import type { MessageDetail } from '../../../src/contract/values.ts';
import { forgetBodies } from '../../../src/renderer/message/use-bodies.ts';
import { startConnection, stopConnection } from '../../../src/renderer/platform/connect.ts';
import { feed } from '../../../src/renderer/stores/feed.ts';
import { clearRecords } from '../../../src/renderer/stores/records.ts';
import { HOME, navigate } from '../../../src/renderer/stores/route.ts';
import { channelPair, createFakeEngine, type FakeEngine } from '../../helpers/fake-engine.ts';
import { hooks } from './scenes.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// jsdom draws nothing; the code view measures what it draws.
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => new DOMRect();

export const NOW = Date.UTC(2026, 10, 20, 14, 32, 41, 907);

export interface Stage {
  readonly engine: FakeEngine;
  readonly page: HTMLElement;
  /** Lets everything under way happen, and `ms` pass. */
  pass(ms?: number): Promise<void>;
  /** Puts a message into the engine, with what it tells of it. */
  put(detail: MessageDetail): Promise<void>;
  show(node: ReactNode): Promise<void>;
  /** The element of a role whose name or text matches. */
  find(role: string, name: string | RegExp): HTMLElement | undefined;
  click(role: string, name: string | RegExp): Promise<void>;
  /** Clicks the first element of a selector. */
  clickFirst(selector: string): Promise<void>;
  press(key: string, more?: KeyboardEventInit): Promise<void>;
  /** Arguments of the calls of one command. */
  calls(name: string): unknown[];
  close(): Promise<void>;
}

const SELECTORS: Record<string, string> = {
  button: 'button, [role="button"]',
  tab: '[role="tab"]',
  radio: '[role="radio"]',
  checkbox: '[role="checkbox"]',
  link: 'a[href]',
  menuitemradio: '[role="menuitemradio"]',
  region: 'section[aria-label]',
};

export async function openStage(bodies: Record<number, string> = {}): Promise<Stage> {
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
  wrap('attempts.bodies', (input, usual) => {
    usual(input as never);
    return { responseBase64: btoa(bodies[input.id] ?? '') };
  });

  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  clearRecords();
  const pass = async (ms = 0) => {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(ms);
      await vi.advanceTimersByTimeAsync(0);
    });
  };
  startConnection(async () => {
    const [near, far] = channelPair();
    const peer = engine.connect(far);
    return { ...near, close: () => engine.disconnect(peer) };
  }, feed);
  await pass();

  const find: Stage['find'] = (role, name) =>
    [...document.querySelectorAll<HTMLElement>(SELECTORS[role] ?? `[role="${role}"]`)].find((element) => {
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return typeof name === 'string' ? label.trim() === name : name.test(label);
    });
  return {
    engine,
    page: document.body,
    pass,
    put: async (detail) => {
      details.set(detail.message.id, detail);
      engine.update(detail.message.id, detail.message);
      await pass();
    },
    show: async (node) => {
      await act(async () => root.render(<Tooltip.Provider>{node}</Tooltip.Provider>));
      await pass();
    },
    find,
    click: async (role, name) => {
      const element = find(role, name);
      if (element === undefined) throw new Error(`there is no ${role} ${String(name)}`);
      await act(async () => element.click());
      await pass();
    },
    clickFirst: async (selector) => {
      const element = document.querySelector<HTMLElement>(selector);
      if (element === null) throw new Error(`there is no ${selector}`);
      await act(async () => element.click());
      await pass();
    },
    press: async (key, more = {}) => {
      await act(async () => {
        window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
      });
      await pass();
    },
    calls: (name) => engine.calls.filter((one) => one.name === name).map((one) => one.input),
    close: async () => {
      await act(async () => root.unmount());
      host.remove();
      stopConnection();
      clearRecords();
      forgetBodies();
      navigate(HOME, { replace: true });
      vi.useRealTimers();
    },
  };
}
