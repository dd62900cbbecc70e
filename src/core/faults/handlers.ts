/** The commands of ingest faults. The contract's edge has already checked their arguments. */
import type { Handlers } from '../../contract/channel.ts';
import type { faultCommands } from '../../contract/faults.ts';
import type { Faults } from './faults.ts';

export function createFaultHandlers(faults: Faults): Pick<Handlers, keyof typeof faultCommands> {
  return {
    'faults.get': () => faults.view(),
    'faults.save': (edit) => faults.save(edit),
    'faults.clear': () => faults.clear(),
    'faults.report': (asked) => faults.report(asked),
  };
}
