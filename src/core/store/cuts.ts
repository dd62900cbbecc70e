/** How many calls were cut out of the stored bytes of a request. */
import type { Changes } from './ports/changes.ts';
import { Writes } from './statements.ts';

interface Cut {
  readonly request: number;
  readonly calls: number;
}

export class Cuts extends Writes {
  readonly #of = this.column<{ request: number }, number>('SELECT calls FROM request_cuts WHERE request_id = @request');

  of(request: number): number {
    return this.#of.get({ request }) ?? 0;
  }

  readonly #add = this.command<Cut>(
    `INSERT INTO request_cuts (request_id, calls) VALUES (@request, @calls)
     ON CONFLICT (request_id) DO UPDATE SET calls = calls + excluded.calls`,
  );
  /** Storage limits remove the oldest requests. */
  readonly #dropOld = this.command<undefined>(
    'DELETE FROM request_cuts WHERE request_id < (SELECT min(id) FROM requests)',
  );

  add(request: number, calls: number, changes: Changes): void {
    this.#dropOld.run(changes);
    this.#add.run(changes, { request, calls });
  }
}
