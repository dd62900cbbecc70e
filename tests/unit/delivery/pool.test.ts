/** Which connection an attempt gets, and how many are kept. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  Connection,
  ConnectionContext,
  ConnectionOwner,
} from '../../../src/core/delivery/transport/connection.ts';
import { ConnectionPool, MAX_IDLE, MAX_IDLE_PER_ORIGIN } from '../../../src/core/delivery/transport/pool.ts';

interface Made {
  readonly origin: string;
  readonly context: unknown;
  readonly owner: ConnectionOwner;
  closed: number;
}
const made = vi.hoisted(() => [] as Made[]);
vi.mock('../../../src/core/delivery/transport/connection.ts', () => ({
  Connection: class {
    readonly origin: string;
    readonly context: unknown;
    readonly owner: ConnectionOwner;
    closed = 0;
    constructor(origin: string, context: unknown, owner: ConnectionOwner) {
      this.origin = origin;
      this.context = context;
      this.owner = owner;
      made.push(this);
    }
    async close(): Promise<void> {
      this.closed += 1;
    }
  },
}));

const A = 'http://a.test';
const B = 'http://b.test';
const CONTEXT = {} as ConnectionContext;
let pool: ConnectionPool;
beforeEach(() => {
  made.length = 0;
  pool = new ConnectionPool(CONTEXT);
});

const counts = () => [pool.size, pool.idle];
const free = (connection: Connection): void => (connection as unknown as Made).owner.free(connection);
const lose = (connection: Connection): void => (connection as unknown as Made).owner.gone(connection);
const take = (n: number, originOf: (i: number) => string): Connection[] =>
  Array.from({ length: n }, (_, i) => pool.take(originOf(i)));

test('without a free connection a new one is made', () => {
  const connection = pool.take(A);
  expect(made).toEqual([connection]);
  expect(connection).toMatchObject({ origin: A });
  expect(made[0]!.context).toBe(CONTEXT);
  expect(counts()).toEqual([1, 0]);
  expect(pool.take(A)).not.toBe(connection);
  expect(counts()).toEqual([2, 0]);
});

test('a free connection is used again for its origin alone, the one used last first', () => {
  const [first, second] = take(2, () => A) as [Connection, Connection];
  free(first);
  free(second);
  expect(counts()).toEqual([2, 2]);
  expect([first, second]).not.toContain(pool.take(B));
  expect([pool.take(A), pool.take(A)]).toEqual([second, first]);
  expect(counts()).toEqual([3, 0]);
});

describe('a connection that is gone', () => {
  test('is given to nobody, whether it was free or not', () => {
    const [first, second] = take(2, () => A) as [Connection, Connection];
    free(first);
    free(second);
    lose(first);
    expect(counts()).toEqual([1, 1]);
    expect(pool.take(A)).toBe(second);
    lose(second);
    expect(counts()).toEqual([0, 0]);
    expect([first, second]).not.toContain(pool.take(A));
    expect(counts()).toEqual([1, 0]);
  });

  test('is given to nobody, whichever of the free ones it was', () => {
    const [first, second] = take(2, () => A) as [Connection, Connection];
    free(first);
    free(second);
    lose(second);
    expect(counts()).toEqual([1, 1]);
    expect(pool.take(A)).toBe(first);
    expect(pool.take(A)).not.toBe(second);
  });

  test('may be one of an origin that never had a free one', () => {
    lose(pool.take(A));
    expect(counts()).toEqual([0, 0]);
  });

  test('takes none of the others along', () => {
    const [busy, idle] = take(2, () => A) as [Connection, Connection];
    free(idle);
    lose(busy);
    expect(counts()).toEqual([1, 1]);
    expect(pool.take(A)).toBe(idle);
  });
});

describe('of free connections', () => {
  test('32 are kept for an origin', () => {
    const connections = take(MAX_IDLE_PER_ORIGIN + 1, () => A);
    for (const connection of connections) free(connection);
    expect(made.map(({ closed }) => closed)).toEqual([...Array(32).fill(0), 1]);
    expect(pool.idle).toBe(32);
    free(pool.take(A));
    expect(pool.idle).toBe(32);
  });

  test('256 are kept in all', () => {
    const connections = take(MAX_IDLE + 1, (i) => `http://${i % 20}.test`);
    for (const connection of connections) free(connection);
    expect(made.filter(({ closed }) => closed > 0)).toEqual([connections.at(-1)]);
    expect(pool.idle).toBe(256);
  });

  test('one less is kept where one was lost', () => {
    const connections = take(MAX_IDLE, (i) => `http://${i % 20}.test`);
    for (const connection of connections) free(connection);
    lose(connections[0]!);
    const other = pool.take(B);
    free(other);
    expect([pool.idle, made.at(-1)!.closed]).toEqual([256, 0]);
  });
});

test('a close closes all, busy or free', async () => {
  const [first] = take(3, () => A) as [Connection];
  free(first);
  await pool.close();
  expect(made.map(({ closed }) => closed)).toEqual([1, 1, 1]);
});
