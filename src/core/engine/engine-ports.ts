import type { EngineShell } from '../demo/handlers.ts';
import type { Ports, Transport } from '../ports.ts';
import type { OpenStore } from '../store/ports/store.ts';

/** What the transport needs from the engine. */
export interface TransportNeeds {
  /** Ports of this engine and its shell. No attempt may connect to them. */
  ownPorts(): readonly number[];
  /** PEM texts to trust beside the known authorities. The array stays the same until they change. */
  authorities(): readonly string[];
}

/** What the engine takes from outside. It makes the transport itself, once the parts that the transport needs exist. */
export interface EnginePorts extends Omit<Ports, 'transport'> {
  readonly openStore: OpenStore;
  transport(needs: TransportNeeds): Transport;
  /** Posts JSON to a port of this machine as a client does, and gives the status; 0 without an answer. For the demo. */
  post?(to: { readonly port: number; readonly path: string; readonly writeKey: string }, body: string): Promise<number>;
  /** The engine asks the shell through it. Absent where nothing can start another instance. */
  readonly shell?: EngineShell;
}
