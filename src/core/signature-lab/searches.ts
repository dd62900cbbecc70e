/**
 * Searches of one client, each run in parts for as long as the client asks for the next one. Nothing runs in between,
 * so that a client that stops asking has cancelled.
 */

import type { LabVerdict } from '../../contract/signature-lab.ts';
import { type Asked, explaining, type Progress } from './explain.ts';
import { inTurnsFor, type TurnDeps } from './turns.ts';

/** Long enough to end most searches in one part. */
const PART_MS = 200;
const MAX_SEARCHES = 4;

export type SearchPart<C> =
  | { readonly done: false; readonly search: string; readonly tried: number }
  | { readonly done: true; readonly verdict: LabVerdict; readonly context: C };

/** `C` is what the client of this class wants back with the verdict. */
export class Searches<C> {
  readonly #open = new Map<string, { readonly steps: Generator<Progress, LabVerdict>; readonly context: C }>();
  readonly #deps: TurnDeps;
  #last = 0;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  begin(asked: Asked, context: C): Promise<SearchPart<C>> {
    this.#last += 1;
    const search = String(this.#last);
    this.#open.set(search, { steps: explaining(asked), context });
    for (const oldest of this.#open.keys()) if (this.#open.size > MAX_SEARCHES) this.#open.delete(oldest);
    return this.#part(search)!;
  }

  /** Null when there is no such search any more. */
  goOn(search: string): Promise<SearchPart<C>> | null {
    return this.#part(search);
  }

  #part(search: string): Promise<SearchPart<C>> | null {
    const open = this.#open.get(search);
    if (open === undefined) return null;
    this.#open.delete(search);
    return this.#run(search, open);
  }

  async #run(search: string, open: { steps: Generator<Progress, LabVerdict>; context: C }): Promise<SearchPart<C>> {
    const step = await inTurnsFor(PART_MS, open.steps, this.#deps);
    if (step.done === true) return { done: true, verdict: step.value, context: open.context };
    this.#open.set(search, open);
    return { done: false, search, tried: step.value.tried };
  }
}
