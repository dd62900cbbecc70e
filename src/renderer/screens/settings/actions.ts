/** The commands of this screen. */
import type { CommandInput } from '../../../contract/commands.ts';
import { portOf } from '../../frame/port-dialog.tsx';
import { call } from '../../platform/connect.ts';
import { applyAnswer } from '../../stores/records.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure } from '../../stores/toasts.ts';
import { refuse } from './storage-input.ts';

/** For switches and choices, which have no room for an error. */
export function saveIngest(change: CommandInput<'ingest.save'>): void {
  tracked(call('ingest.save', change)).then(
    (ingest) => applyAnswer({ ingest }),
    (error: unknown) => showFailure('save how calls are taken in', error),
  );
}

/** Listens on another port. Rejects with a ContractError that says why not, and where calls still arrive. */
export async function changePort(text: string): Promise<void> {
  const port = portOf(text) ?? refuse('Enter a port from 1 to 65535.');
  const status = await tracked(call('ingest.listen', { port }));
  applyAnswer({ status });
  const { state, message } = status.listener;
  if (state !== 'listening') refuse(message ?? `Hookbench cannot listen on port ${port}.`);
}

/** Rejects with a ContractError. */
export async function saveStorage(change: CommandInput<'storage.save'>): Promise<void> {
  applyAnswer({ status: await tracked(call('storage.save', change)) });
}

/** Off deletes the search index. */
export function switchSearchIndex(enabled: boolean): void {
  tracked(call('search.setEnabled', { enabled })).then(
    (search) => applyAnswer({ search }),
    (error: unknown) => showFailure(enabled ? 'turn the search index on' : 'turn the search index off', error),
  );
}

export function rebuildSearchIndex(): void {
  call('search.rebuild').then(
    (search) => applyAnswer({ search }),
    (error: unknown) => showFailure('rebuild the search index', error),
  );
}
