/**
 * Keys that were pressed before the message could take them: its code or the message itself was still on its way. They
 * act in their order as soon as it is there.
 */

/** A key that would act later than this surprises more than one that is lost. In milliseconds. */
const HELD_MS = 3_000;

interface HeldKey {
  /** Row id of the message that was open. */
  readonly id: number;
  readonly name: string;
  readonly until: number;
}

let held: HeldKey[] = [];

export function holdKey(id: number, name: string): void {
  held = [...heldFor(id), { id, name, until: performance.now() + HELD_MS }];
}

/** True while keys for this message wait, behind which others must wait too. */
export const keysWait = (id: number): boolean => heldFor(id).length > 0;

/** The next key for this message. Those for another one, or too old, are dropped. */
export function takeHeldKey(id: number): string | undefined {
  const [first, ...rest] = heldFor(id);
  held = rest;
  return first?.name;
}

export function dropHeldKeys(): void {
  held = [];
}

const heldFor = (id: number): HeldKey[] => held.filter((key) => key.id === id && key.until > performance.now());
