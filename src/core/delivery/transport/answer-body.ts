/** Takes a part of a body. The bytes are good during the call only. */
export type OnBody = (bytes: Buffer) => void;

export interface AnswerBody {
  /** Nothing of the body is to come. */
  readonly isWhole: boolean;
  /** The body ends when the connection closes. */
  readonly endsWithConnection: boolean;
  /** What is wrong with the body; null while nothing is. */
  readonly problem: string | null;
  /** Reads on with the bytes from `from`. Returns where it stopped: after the last byte given, or after its own. */
  take(bytes: Buffer, from: number, onBody: OnBody): number;
}
