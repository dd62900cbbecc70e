/** Takes a part of a body. The bytes are good during the call only. */
export type OnBody = (bytes: Buffer) => void;

export interface AnswerBody {
  /** Nothing of the body is to come. */
  readonly isWhole: boolean;
  /** The body ends when the connection closes. */
  readonly endsWithConnection: boolean;
  /** The error that the reader found in the body. Null if it found none. */
  readonly problem: string | null;
  /** Reads on with the bytes from `from`. Returns where it stopped: after the last byte given, or after its own. */
  take(bytes: Buffer, from: number, onBody: OnBody): number;
}
