/**
 * A world's store in memory. A kill drops what is not committed. A write can be refused, as any store may refuse it,
 * but there is no file: no read fails, nothing rolls back by itself, nothing is locked.
 */
import { StoreNotWritableError } from '../../src/core/ports.ts';
import { memoryStoreOver } from '../helpers/memory-store/engine-store.ts';
import type { Table } from '../helpers/memory-store/table.ts';
import { Tables } from '../helpers/memory-store/tables.ts';
import { MemoryRows } from './memory-rows.ts';
import type { ProcessStore, StatementGuard, WorldStore } from './world-store.ts';

export class MemoryWorld implements WorldStore {
  /** Nothing is written there. */
  readonly folder = '/memory';
  readonly isLocked = false;
  readonly tables = new Tables();
  readonly rows = new MemoryRows(this.tables);

  process(guard: StatementGuard): ProcessStore {
    const open = memoryStoreOver(this.tables, {
      before: (step) => guard.before(step, () => {}),
      after: (step) => guard.after(step),
    });
    return { open, kill: () => this.tables.journal.rollBack() };
  }

  failure(code: string): Error {
    return new StoreNotWritableError(`simulated ${code}`);
  }

  placesOf(text: string): string[] {
    const { journal, ...tables } = this.tables;
    return Object.entries(tables).flatMap(([name, table]: [string, Table<unknown>]) =>
      has(table.all(), text) ? [name] : [],
    );
  }

  remove(): void {}
}

/** Whether the text stands in the value or anywhere inside it. */
function has(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (value instanceof Uint8Array) return Buffer.from(value).includes(text);
  if (value instanceof Set || value instanceof Map) return has([...value], text);
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => has(part, text));
}
