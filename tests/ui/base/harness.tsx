/** React in jsdom over the real engine on simulated ports: what the component tests share. */
import { act, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';
import { startConnection, stopConnection } from '../../../src/renderer/platform/connect.ts';
import { feed, watchTimeZone } from '../../../src/renderer/stores/feed.ts';
import { clearRecords, useRecords } from '../../../src/renderer/stores/records.ts';
import { toastManager } from '../../../src/renderer/stores/toasts.ts';
import { pageCallsOf, type SimEngine, type SimEngineSetup, startSimEngine } from '../../helpers/sim-engine.ts';
import { takeTurn } from '../../helpers/turns.ts';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
watchTimeZone();

const { add: addToast } = toastManager;
/** Notices stay: they go after seconds of real time, in which a busy machine may not come to the next key. */
const addStaying: typeof addToast = (toast) => addToast({ ...toast, timeout: 0 });
toastManager.add = addStaying;

/** Notices of the running test go when their time has come, which it moves with fake timers. */
export function letNoticesGo(): void {
  toastManager.add = addToast;
  onTestFinished(() => {
    toastManager.add = addStaying;
  });
}

/** The real engine of the running test, when it has one. */
let simEngine: SimEngine | null = null;

/** Lets pending promises run, inside React's act. With a real engine, long enough for its next change batch. */
export const settle = async (turns = 20): Promise<void> => {
  await act(async () => {
    if (simEngine !== null) await simEngine.pass();
    for (let i = 0; i < turns; i += 1) await Promise.resolve();
  });
};

/** The machine's own time, also while the page reads its engine's clock. */
const machineTime = Date.now;

/** The most that {@link until} waits, in milliseconds: a limit for what never comes, on a machine with ten times the work. */
const UNTIL_MS = 120_000;

/**
 * Goes on until this holds: for what follows from sockets, files or threads, which simulated time does not move. What
 * throws, because a part of the page is not there yet, does not hold yet.
 */
export async function until(holds: () => boolean): Promise<void> {
  const end = machineTime() + UNTIL_MS;
  let cause: unknown;
  const holdsNow = (): boolean => {
    try {
      cause = undefined;
      return holds();
    } catch (error) {
      cause = error;
      return false;
    }
  };
  for (let turn = 0; !holdsNow(); turn += 1) {
    if (machineTime() > end) throw new Error(`This never came to hold: ${holds}`, { cause });
    await act(() => takeTurn(turn, (ms) => simEngine?.pass(ms)));
  }
  await settle();
}

/** What the work gives, once everything that follows from it has happened. */
export async function settled<T>(work: Promise<T>): Promise<T> {
  await settle();
  return work;
}

/** jsdom has no layout, so nothing is ever resized. Holds until the end of the file. */
export const stubResizeObserver = (): void =>
  void vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );

const LATE_SCREENS = import.meta.glob('../../../src/renderer/screens/*/*-screen.tsx');

/** Loads the code of every screen. A test that goes to one and ends at once would leave its arrival to the next test. */
export const loadScreens = async (): Promise<void> => {
  await Promise.all(Object.values(LATE_SCREENS).map((load) => load()));
};

export interface Rendered {
  readonly container: HTMLElement;
  unmount(): void;
}

export async function render(element: ReactElement): Promise<Rendered> {
  const container = document.createElement('div');
  document.body.append(container);
  const root = createRoot(container);
  await act(async () => root.render(element));
  return {
    container,
    unmount: () => {
      act(() => root.unmount());
      container.remove();
    },
  };
}

/** The page reads the clock of its engine. By the machine's clock, a countdown would go on while a busy machine rests. */
function agreeOnTime({ engine }: SimEngine): void {
  const now = vi.spyOn(Date, 'now').mockImplementation(() => engine.parts.ports.clock.wall());
  onTestFinished(() => now.mockRestore());
}

/**
 * Connects this window to a real engine on simulated ports and waits for its greeting. `before` happens while no
 * window is connected.
 */
export async function connectEngine(
  setup: SimEngineSetup = {},
  before: (engine: SimEngine) => Promise<void> = async () => {},
): Promise<SimEngine> {
  const engine = await startSimEngine(setup);
  agreeOnTime(engine);
  await before(engine);
  clearRecords();
  await act(async () => {
    startConnection(async () => engine.open(), feed);
    while (!useRecords.getState().ready) await engine.pass(1);
  });
  simEngine = engine;
  return engine;
}

export const pageCalls = (): SimEngine['calls'] => pageCallsOf(simEngine!);
export const lastCall = (): SimEngine['calls'][number] | undefined => pageCalls().at(-1);

/** The inputs of all calls of one command, in order. */
export const inputsOf = (command: string): unknown[] =>
  simEngine!.calls.filter(({ name }) => name === command).map(({ input }) => input);

/** Ends the connection of the test and forgets what came over it. */
export function disconnect(): void {
  simEngine = null;
  act(() => {
    stopConnection();
    clearRecords();
  });
}

/** The one element of a role (or tag) with this accessible name; fails with what there is. */
export function byName(selector: string, name: string | RegExp, scope: ParentNode = document): HTMLElement {
  const all = [...scope.querySelectorAll<HTMLElement>(selector)];
  const found = all.filter((element) => matches(nameOf(element), name));
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${found.length} of ${selector} named ${name}; there are: ${all.map(nameOf).join(' | ')}`);
  }
  return found[0];
}

function nameOf(element: HTMLElement): string {
  const label = element.getAttribute('aria-label');
  if (label !== null) return label;
  if (element.id !== '') {
    const text = document.querySelector(`label[for="${CSS.escape(element.id)}"]`)?.textContent;
    if (text) return text;
  }
  return element.textContent?.trim() ?? '';
}

/** The texts of the cells of a table, row by row, without its head. */
export const cellsOf = (table: string): string[][] =>
  [...byName('[role="table"]', table).querySelectorAll('[role="row"]')]
    .slice(1)
    .map((row) => [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent ?? ''));

const matches = (text: string, name: string | RegExp): boolean =>
  typeof name === 'string' ? text === name : name.test(text);

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => {
    element.focus();
    element.click();
  });
  await settle();
}

/** Types into an input as React sees it. */
export async function type(input: HTMLElement, text: string): Promise<void> {
  await act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    input.focus();
    set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export async function press(element: HTMLElement, key: string, more: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
  });
  await settle();
}

export async function focus(element: HTMLElement): Promise<void> {
  await act(async () => element.focus());
}

export async function blur(element: HTMLElement): Promise<void> {
  await act(async () => element.blur());
  await settle();
}
