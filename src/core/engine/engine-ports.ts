import type { Ports, Transport } from '../ports.ts';

/** What the transport asks of the engine. */
export interface TransportNeeds {
  /** Ports of this engine and its shell: no attempt may lead there. */
  ownPorts(): readonly number[];
  /** PEM texts to trust beside the known authorities; the same array until they change. */
  authorities(): readonly string[];
}

/** What the engine takes from outside. The transport is made once there is what it needs. */
export interface EnginePorts extends Omit<Ports, 'transport'> {
  transport(needs: TransportNeeds): Transport;
}
