import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type CheckpointFile, openCheckpointFile } from '../../../src/core/store/checkpoint-file.ts';
import { type Db, openStore, openStoreReadOnly, storePath } from '../../../src/core/store/database.ts';
import { LONGEST_LOG_FILE, LogPasses } from '../../../src/core/store/log-passes.ts';
import type { CheckpointEvents, OpenCheckpointer } from '../../../src/core/store/ports/store.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const PAGE = 4_096;
/** Just over 8 MB. */
const WORTH_A_PASS = 2_100;

let workspace: string;
let db: Db;
/** The passes that were asked for and have not been made. */
let asked: Array<() => void>;
let opened: CheckpointEvents[];
let file: CheckpointFile;
let stops: number;
beforeEach(() => {
  workspace = tempWorkspace();
  db = openStore(workspace);
  onTestFinished(() => void db.close());
  asked = [];
  opened = [];
  stops = 0;
});

/** Works in this thread, when the test says so. */
const open: OpenCheckpointer = (events) => {
  opened.push(events);
  file = openCheckpointFile(storePath(workspace));
  onTestFinished(() => file.close());
  return {
    pass: () => void asked.push(() => events.passed(file.pass())),
    stop: () => {
      stops += 1;
      return Promise.resolve();
    },
  };
};

const passesOf = (): LogPasses => new LogPasses(db, open);

let written = 0;
/** Commits about this many pages. */
function commit(pages: number): void {
  written += 1;
  db.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(`filler ${written}`, 'x'.repeat(pages * PAGE));
}

interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

/** Looks without moving anything. */
const state = (): LogState => (db.pragma('wal_checkpoint(NOOP)') as LogState[])[0]!;
const left = (): number => state().log - state().checkpointed;
const bound = (): unknown => db.pragma('wal_autocheckpoint', { simple: true });

/** Another handle that reads until `end`. */
function reading(): { end(): void } {
  const reader = openStoreReadOnly(workspace);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM settings').get();
  return { end: () => void reader.close() };
}

function answer(): void {
  const run = asked.shift();
  if (run === undefined) throw new Error('No pass was asked for.');
  run();
}

describe('a log', () => {
  test('that was never longer than 8 MB costs no thread', () => {
    const passes = passesOf();
    commit(1_900);
    expect([passes.look(), opened.length, asked.length]).toEqual([false, 0, 0]);
  });

  test('of which 8 MB wait is moved by the checkpointer, and not again before 8 MB more wait', () => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    expect([passes.look(), asked.length, left() > WORTH_A_PASS]).toEqual([true, 1, true]);
    answer();
    expect([left(), passes.look(), asked.length]).toEqual([0, false, 0]);
    commit(1_900);
    expect([passes.look(), asked.length]).toEqual([false, 0]);
    commit(200);
    expect([passes.look(), asked.length]).toEqual([true, 1]);
    answer();
    expect([left(), opened.length]).toEqual([0, 1]);
  });

  test('is not passed over again while a pass is under way', () => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    expect([passes.look(), passes.look(), asked.length]).toEqual([true, true, 1]);
  });

  test('of 8,000 pages begins anew: a second pass moves what came during the first, and this thread the rest', () => {
    const passes = passesOf();
    commit(8_000);
    passes.look();
    // A reader stands for a pass that is under way: what is committed after it began to read stays in the log.
    const during = reading();
    commit(30);
    answer();
    expect([left() > 30, asked.length, passes.look()]).toEqual([true, 1, true]);
    during.end();
    const duringRest = reading();
    commit(20);
    const { passed } = opened[0]!;
    opened[0]!.passed = (pass) => {
      duringRest.end();
      passed(pass);
    };
    const moved = state().checkpointed;
    answer();
    expect([left(), asked.length, passes.look(), state().checkpointed > moved]).toEqual([0, 0, false, true]);
    commit(1);
    expect(state().log).toBeLessThan(20);
  });

  test.each([
    [7_999, 0],
    [8_000, 1],
  ])('of %i pages gets %i more passes, and until the last of them this thread moves nothing', (log, more) => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    passes.look();
    asked.pop();
    opened[0]!.passed({ log, moved: log });
    expect([asked.length, left() > WORTH_A_PASS]).toEqual([more, true]);
    expect([passes.look(), asked.length]).toEqual([true, 1]);
  });

  test('whose second pass finds it begun anew is not moved by this thread either', () => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    passes.look();
    asked.pop();
    opened[0]!.passed({ log: 8_000, moved: 8_000 });
    asked.pop();
    opened[0]!.passed({ log: 20, moved: 20 });
    expect([left() > WORTH_A_PASS, asked.length]).toEqual([true, 0]);
  });

  test('that was emptied since, or of which nothing can be known, costs no pass', () => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    db.pragma('wal_checkpoint(TRUNCATE)');
    expect(passes.look()).toBe(false);
    commit(WORTH_A_PASS);
    const { pragma } = db;
    Object.assign(db, {
      pragma: () => {
        throw new Error('disk I/O error');
      },
    });
    expect(passes.look()).toBe(false);
    Object.assign(db, { pragma });
    expect([passes.look(), asked.length]).toEqual([true, 1]);
  });

  test('is left as it is when a pass fails, and the next look tries again', () => {
    const passes = passesOf();
    commit(8_000);
    passes.look();
    asked.pop();
    opened[0]!.passed(null);
    expect(asked.length).toBe(0);
    passes.look();
    answer();
    expect([left(), asked.length]).toEqual([0, 1]);
  });

  test('is left as it is when this thread cannot move the rest', () => {
    const passes = passesOf();
    commit(8_000);
    passes.look();
    answer();
    const { pragma } = db;
    let tries = 0;
    Object.assign(db, {
      pragma: () => {
        tries += 1;
        throw new Error('database or disk is full');
      },
    });
    expect(answer).not.toThrow();
    expect(tries).toBe(1);
    Object.assign(db, { pragma });
    expect(passes.look()).toBe(false);
  });
});

test.each([
  [3_000, 953, false],
  [3_000, 952, true],
])('of %i pages, %i of them moved, is worth a pass: %s', (log, checkpointed, isWorth) => {
  const passes = passesOf();
  Object.assign(db, { pragma: () => [{ busy: 0, log, checkpointed }] });
  expect(passes.look()).toBe(isWorth);
});

test('the longest file holds more than a log that SQLite moves within a commit', () => {
  const frame = PAGE + 24;
  expect(LONGEST_LOG_FILE).toBeGreaterThan(40_000 * frame);
});

describe('within commits the log is moved', () => {
  test('at 10,000 pages without a checkpointer, at 40,000 with one', () => {
    expect(new LogPasses(db, undefined).look()).toBe(false);
    expect(bound()).toBe(10_000);
    passesOf();
    expect(bound()).toBe(40_000);
  });

  test('at 10,000 pages again when the thread has ended, and no other is started', () => {
    const passes = passesOf();
    commit(WORTH_A_PASS);
    passes.look();
    opened[0]!.ended();
    expect([bound(), passes.look()]).toEqual([10_000, false]);
    expect([opened.length, asked.length]).toEqual([1, 1]);
  });
});

describe('a stop', () => {
  test('ends the thread; a pass that ends later changes nothing, and none begins', async () => {
    const passes = passesOf();
    commit(8_000);
    passes.look();
    await passes.stop();
    commit(WORTH_A_PASS);
    expect([stops, passes.look()]).toEqual([1, false]);
    answer();
    expect([passes.look(), asked.length]).toEqual([false, 0]);
  });

  test('without a thread is over at once', async () => {
    const passes = passesOf();
    await passes.stop();
    commit(WORTH_A_PASS);
    expect([passes.look(), stops, opened.length]).toEqual([false, 0, 0]);
  });
});

test('a checkpointer without a file cannot be opened, and a pass that fails is null', () => {
  expect(() => openCheckpointFile(`${storePath(workspace)}.gone`)).toThrow();
  const other = openCheckpointFile(storePath(workspace));
  other.close();
  expect(other.pass()).toBeNull();
});
