/** The deletions screen on the real engine, with calls of three sources: what its tests share. */
import { act } from 'react';
import type { Config } from '../../../src/contract/config.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import DeletionsScreen from '../../../src/renderer/screens/deletions/deletions-screen.tsx';
import { clearDraft } from '../../../src/renderer/screens/deletions/draft.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { deletionConfig } from '../../helpers/deletion-world.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { byName, connectEngine, disconnect, type Rendered, render, settle, settled, until } from '../base/harness.tsx';

export interface World {
  readonly engine: SimEngine;
  readonly shown: Rendered;
}

/** Calls by write key, user and number. `wk_app` has the destination off. */
export type Calls = ReadonlyArray<readonly [key: string, userId: string, count: number]>;

export const KNOWN: Calls = [
  ['wk_web', 'usr_5d10', 6],
  ['wk_api', 'usr_5d10', 5],
  ['wk_web', 'usr_2b9d', 3],
  ['wk_app', 'usr_2b9d', 5],
  ['wk_web', 'usr_41c0', 4],
];

export const track = async (engine: SimEngine, [key, userId, count]: Calls[number]): Promise<void> => {
  const batch = Array.from({ length: count }, (_, i) => ({ type: 'track', userId, event: `E${i}` }));
  await settled(engine.post('/v1/batch', { batch }, key));
};

export async function openDeletions(
  calls: Calls = KNOWN,
  {
    config = {},
    page,
    receivers,
  }: { config?: Partial<Config>; page?: 'new' | 'suppressed' | number; receivers?: boolean } = {},
): Promise<World> {
  const engine = await connectEngine({ config: deletionConfig(config), receivers: receivers ?? false });
  for (const one of calls) await track(engine, one);
  clearDraft();
  navigate(
    typeof page === 'number'
      ? { screen: 'deletions', requestId: page }
      : { screen: 'deletions', requestId: null, view: page },
  );
  const shown = await render(
    <>
      <DeletionsScreen />
      <ToastRegion />
    </>,
  );
  await settle();
  return { engine, shown };
}

export function closeDeletions({ shown }: World): void {
  shown.unmount();
  disconnect();
}

export const text = (): string => document.body.textContent ?? '';

/** Writes into the box of user ids, and waits for the preview of them. */
export async function write(ids: string): Promise<void> {
  const area = document.querySelector<HTMLTextAreaElement>('textarea')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, ids);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** The cells of each row of a table, head and foot included. */
export const cells = (label: string): string[][] =>
  [...byName('section', label).querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''),
  );

/** Until the request that is shown has ended. */
export const isOver = (): Promise<void> =>
  until(() => ['Done', 'Partly failed', 'Failed'].some((word) => text().includes(word)));
