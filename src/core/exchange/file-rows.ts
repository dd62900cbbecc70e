/**
 * Takes an imported file apart as its text comes: the lines of NDJSON, or the entries of a HAR. It keeps at most one
 * unfinished row, so the size of the file does not matter, nor that of a row that is too long to be one.
 */
import { EXCHANGE_LIMITS } from '../../contract/exchange-limits.ts';

/** `text` is null for a row over the limit. `at` is its line, or its place among the entries, from 1. */
export interface FileRow {
  readonly at: number;
  readonly text: string | null;
}

interface RowReader {
  read(text: string): FileRow[];
  /** Reads the last row at the end of the file. */
  end(): FileRow[];
}

/** Enough of the file to tell its format. */
const ENOUGH = 256;
const HAR = /^\s*\{\s*"log"\s*:/;

export class FileRows {
  #start: string | null = '';
  #reader: RowReader | null = null;
  #format: 'ndjson' | 'har' | null = null;

  get format(): 'ndjson' | 'har' | null {
    return this.#format;
  }

  read(text: string, last: boolean): FileRow[] {
    const ready = this.#begun(text, last);
    if (ready === null) return [];
    const rows = this.#reader!.read(ready);
    return last ? [...rows, ...this.#reader!.end()] : rows;
  }

  /** The text for the reader; null while the format is not clear. */
  #begun(text: string, last: boolean): string | null {
    if (this.#start === null) return text;
    this.#start = (this.#start + text).replace(/^\ufeff/, '');
    if (this.#start.length < ENOUGH && !last) return null;
    const whole = this.#start;
    this.#start = null;
    this.#format = HAR.test(whole) ? 'har' : 'ndjson';
    this.#reader = this.#format === 'har' ? new HarEntries() : new Lines();
    return whole;
  }
}

/** Text that grows up to the limit of a row, and is dropped beyond it. */
class Row {
  #text = '';
  #isTooLong = false;

  add(text: string): void {
    if (this.#isTooLong) return;
    this.#isTooLong = this.#text.length + text.length > EXCHANGE_LIMITS.lineText;
    this.#text = this.#isTooLong ? '' : this.#text + text;
  }

  /** Returns the row so far, null for one that is too long, and begins the next. */
  take(): string | null {
    const text = this.#isTooLong ? null : this.#text;
    this.#text = '';
    this.#isTooLong = false;
    return text;
  }
}

class Lines implements RowReader {
  readonly #row = new Row();
  #at = 0;

  read(text: string): FileRow[] {
    const rows: FileRow[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      this.#row.add(text.slice(from, end));
      rows.push(...this.end());
      from = end + 1;
    }
    this.#row.add(text.slice(from));
    return rows;
  }

  /** Blank lines count as lines and are no rows. */
  end(): FileRow[] {
    this.#at += 1;
    const text = this.#row.take()?.trim() ?? null;
    return text === '' ? [] : [{ at: this.#at, text }];
  }
}

/** Walks through the JSON of a HAR and cuts out the elements of `log.entries`, without parsing anything else. */
class HarEntries implements RowReader {
  readonly #row = new Row();
  #at = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  /** The last string of the object `log`, while it may be a key. */
  #key = '';
  #inEntries = false;

  read(text: string): FileRow[] {
    const rows: FileRow[] = [];
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const wasInside = this.#isInside();
      this.#step(text[i]!);
      if (!wasInside && this.#isInside()) from = i;
      if (!wasInside || this.#isInside()) continue;
      this.#row.add(text.slice(from, i + 1));
      this.#at += 1;
      rows.push({ at: this.#at, text: this.#row.take() });
    }
    if (this.#isInside()) this.#row.add(text.slice(from));
    return rows;
  }

  /** A file that ends within an entry has no such entry. */
  end(): FileRow[] {
    return this.#isInside() ? [{ at: this.#at + 1, text: '' }] : [];
  }

  /** `{"log":{"entries":[{…` has depth 4. */
  #isInside(): boolean {
    return this.#inEntries && this.#depth >= 4;
  }

  #step(sign: string): void {
    if (this.#inString) this.#stepString(sign);
    else if (sign === '"') {
      this.#inString = true;
      if (this.#depth === 2) this.#key = '';
    } else if (sign === '{' || sign === '[') {
      this.#depth += 1;
      if (this.#depth === 3) this.#inEntries = sign === '[' && this.#key === 'entries';
    } else if (sign === '}' || sign === ']') {
      this.#depth -= 1;
      if (this.#depth < 3) this.#inEntries = false;
    }
  }

  #stepString(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#inString = false;
    // A longer text is not this key.
    else if (this.#depth === 2 && this.#key.length < 10) this.#key += sign;
  }
}
