/** The commands of the demo. What concerns another instance is asked of the shell. */
import type { Handlers } from '../../contract/channel.ts';
import type { DemoInput, demoCommands } from '../../contract/demo.ts';
import { ContractError } from '../../contract/errors.ts';
import type { KnownWorkspace } from '../../contract/workspaces.ts';
import type { Demo } from './demo.ts';

/** What only the shell can do, because it starts and ends instances. Each rejects with a {@link ContractError}. */
export interface DemoShell {
  /** A null address: it is open in a window of its own. */
  open(options: DemoInput): Promise<{ readonly url: string | null; readonly existing: boolean }>;
  address(): Promise<{ readonly url: string }>;
  /** Begins when the answer is on its way. */
  reset(options: DemoInput): Promise<null>;
  /** As {@link reset}. */
  end(): Promise<{ readonly url: string | null }>;
}

/** All that the engine asks of its shell. */
export interface EngineShell extends DemoShell {
  /** The other workspaces that it knows. Absent where it keeps none. */
  workspaces?(): Promise<readonly KnownWorkspace[]>;
}

/** `shell` is null where nothing can start another instance. */
export function createDemoHandlers(demo: Demo, shell: DemoShell | null): Pick<Handlers, keyof typeof demoCommands> {
  const own = (): DemoShell => {
    if (demo.view().state === 'none') throw new ContractError('demo_not_running');
    return theShell();
  };
  const theShell = (): DemoShell => {
    if (shell === null) throw new ContractError('demo_not_here');
    return shell;
  };
  return {
    'demo.get': () => demo.view(),
    'demo.open': (input) => theShell().open(input),
    'demo.step': ({ step }) => demo.goTo(step),
    'demo.setRate': ({ rate }) => demo.setRate(rate),
    'demo.address': () => own().address(),
    'demo.reset': (input) => own().reset(input),
    'demo.end': () => own().end(),
  };
}
