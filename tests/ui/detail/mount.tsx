/** Mounts a piece of the interface over an engine, in a page whose time stands still until moved. */
import { Tooltip } from '@base-ui/react/tooltip';
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import type { CommandInput, CommandName, CommandOutput } from '../../../src/contract/commands.ts';
import { forgetBodies } from '../../../src/renderer/message/use-bodies.ts';
import { call, startConnection, stopConnection } from '../../../src/renderer/platform/connect.ts';
import type { Opener } from '../../../src/renderer/platform/openers.ts';
import { feed } from '../../../src/renderer/stores/feed.ts';
import { clearRecords } from '../../../src/renderer/stores/records.ts';
import { HOME, navigate } from '../../../src/renderer/stores/route.ts';
import { type SimEngine, type SimEngineSetup, startSimEngine } from '../../helpers/sim-engine.ts';
import { CONFIG, KEY } from './histories.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// jsdom draws nothing; the code view measures what it draws.
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => new DOMRect();

export const NOW = Date.UTC(2026, 10, 20, 14, 32, 41, 907);

export interface Page {
  readonly page: HTMLElement;
  /** Lets everything under way happen, and `ms` pass. */
  pass(ms?: number): Promise<void>;
  show(node: ReactNode): Promise<void>;
  /** The element of a role whose name or text matches. */
  find(role: string, name: string | RegExp): HTMLElement | undefined;
  click(role: string, name: string | RegExp): Promise<void>;
  /** Clicks the first element of a selector. */
  clickFirst(selector: string): Promise<void>;
  press(key: string, more?: KeyboardEventInit): Promise<void>;
  close(): Promise<void>;
}

/** A page over the real engine, both on one simulated time. */
export interface Stage extends Page {
  readonly engine: SimEngine;
  /** Posts a call (or raw bytes as text). */
  post(call: unknown, path?: string, headers?: Readonly<Record<string, string>>): Promise<void>;
  /** Asks the engine as another part of the window would, and gives the answer. */
  tell<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>>;
  /** Time in which the page does nothing. */
  skip(ms: number): Promise<void>;
  /** Arguments of the calls of one command. */
  calls(name: string): unknown[];
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

/** Page and engine take turns of this length. */
const STEP_MS = 50;
/** A change is told within a batch's time. */
const BATCH_MS = 100;

export async function openStage(setup: SimEngineSetup = {}): Promise<Stage> {
  // Files and threads of the engine end in real turns.
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const engine = await startSimEngine({ config: CONFIG, ...setup });
  const agree = () => vi.setSystemTime(engine.engine.parts.ports.clock.wall());
  const skip = async (ms: number) => {
    await act(() => engine.pass(ms));
    agree();
  };
  const pass = async (ms = BATCH_MS) => {
    await act(async () => {
      for (let left = ms; left >= 0; left -= STEP_MS) {
        await engine.pass(Math.min(left, STEP_MS));
        await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS));
      }
    });
    agree();
  };
  const page = await openPage(async () => engine.open(), pass);
  return {
    ...page,
    engine,
    skip,
    post: async (body, path = '/v1/track', headers = {}) => {
      await act(async () => void (await engine.post(path, body, KEY, headers)));
      await pass();
    },
    tell: async (name, input) => {
      const answer = (call as (name: string, input: unknown) => Promise<never>)(name, input);
      await pass();
      return answer;
    },
    calls: (name) => engine.calls.filter((one) => one.name === name).map((one) => one.input),
  };
}

export async function openPage(opener: Opener, pass: (ms?: number) => Promise<void>): Promise<Page> {
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  clearRecords();
  startConnection(opener, feed);
  await pass();

  const find: Page['find'] = (role, name) =>
    [...document.querySelectorAll<HTMLElement>(SELECTORS[role] ?? `[role="${role}"]`)].find((element) => {
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return typeof name === 'string' ? label.trim() === name : name.test(label);
    });
  return {
    page: document.body,
    pass,
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
