/** The file of extra authorities that the user names. It is read when the user names it and at every start. */
import { authoritiesProblem, readAuthorities } from './transport/authorities.ts';

const NONE: readonly string[] = [];
const MAX_BYTES = 4 * 1024 * 1024;

interface Read {
  readonly path: string;
  readonly certificates: readonly string[];
  readonly problem: string | null;
}

/** A file of authorities as the user sees it. `problem` says why the file is not used. */
export interface AuthoritiesFile {
  path: string;
  certificates: number;
  problem: string | null;
}

export class Authorities {
  readonly #readFile: (path: string) => Uint8Array;
  #read: Read | null = null;

  /** `readFile` throws when the file cannot be read. */
  constructor(readFile: (path: string) => Uint8Array) {
    this.#readFile = readFile;
  }

  /** Reads the file again. Returns why it cannot be used, or null. */
  check(path: string): string | null {
    const read = this.#load(path);
    if (read.problem === null) this.#read = read;
    return read.problem;
  }

  /** PEM texts. The array stays the same until the user names another file or the file is checked again. */
  of(path: string | null): readonly string[] {
    return path === null ? NONE : this.#known(path).certificates;
  }

  view(path: string | null): AuthoritiesFile | null {
    if (path === null) return null;
    const { certificates, problem } = this.#known(path);
    return { path, certificates: certificates.length, problem };
  }

  #known(path: string): Read {
    if (this.#read?.path !== path) this.#read = this.#load(path);
    return this.#read;
  }

  #load(path: string): Read {
    let bytes: Uint8Array;
    try {
      bytes = this.#readFile(path);
    } catch (error) {
      return { path, certificates: NONE, problem: `The file cannot be read: ${(error as Error).message}` };
    }
    if (bytes.length > MAX_BYTES) return { path, certificates: NONE, problem: 'The file is larger than 4 MB.' };
    const text = Buffer.from(bytes).toString('latin1');
    const problem = authoritiesProblem(text);
    return { path, certificates: problem === null ? readAuthorities(text) : NONE, problem };
  }
}
