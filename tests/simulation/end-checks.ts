/** What must hold once nothing happens any more in a world, while its last process still runs. */
import { Life, type Surroundings } from './life.ts';
import type { World } from './world.ts';

/** I9: the screen shows the rows of the store. */
export function checkScreen(world: World, seen: ReadonlyMap<number, string>): void {
  const rows = world.watch.rows();
  if (seen.size !== rows.length) world.violate('I9 the screen has other rows', `${seen.size}, not ${rows.length}`);
  for (const { id, state, round, cells } of rows) {
    if (world.expect.movedByHand.has(id)) continue;
    const shown = seen.get(id);
    const stored = `${state}/${round}/${cells}`;
    if (shown !== stored) world.violate('I9 the screen differs from the store', `${id}: ${shown} and ${stored}`);
  }
}

export function checkMemory(world: World, { engine }: Life): void {
  const { queued, inFlight } = engine.parts.dispatcher;
  if (queued + inFlight > 0) world.violate('something is left in memory', `${queued} queued, ${inFlight} in flight`);
}

/** I8: a store has one engine. */
export function checkAlone(world: World, around: Surroundings): void {
  try {
    new Life(0, around).end();
    world.violate('I8 two engines on one store', '');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'workspace_in_use') world.violate('I8 a second engine fails otherwise', String(code));
  }
}
