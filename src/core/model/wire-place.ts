/**
 * Where one request went on the wire. Both ends of a connection of this machine see the same place, so it ties the
 * request that a receiver got to the attempt that sent it, whatever their bytes.
 */
export interface WirePlace {
  /** The sender's end of the connection: `127.0.0.1:52100`. */
  readonly client: string;
  /** The receiver's port. */
  readonly port: number;
  /** The place of the request on its connection, from 1. A connection carries one request at a time. */
  readonly order: number;
}

/** A place as one text. A later connection may have the same one. */
export const wireKey = ({ client, port, order }: WirePlace): string => `${client}>${port}#${order}`;

/** The attempt that a request on the wire belongs to. */
export interface SentAttempt {
  /** Row ids. */
  readonly attempt: number;
  readonly message: number;
  readonly limitMs: number;
}
