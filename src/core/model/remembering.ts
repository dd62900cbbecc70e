/**
 * The same function, but it remembers its last `most` results and gives them again. For a pure function that is often
 * asked the same. A result must never be changed, because others may hold it.
 *
 * Arguments are compared one by one: a Map that many arguments pass through would keep their results in memory until
 * the next full garbage collection (`delivery/passing.ts`).
 */
export function remembering<A, R>(most: number, of: (argument: A) => R): (argument: A) => R {
  const known: Array<{ readonly argument: A; readonly result: R }> = [];
  let next = 0;
  return (argument) => {
    for (const one of known) if (one.argument === argument) return one.result;
    const result = of(argument);
    known[next] = { argument, result };
    next = (next + 1) % most;
    return result;
  };
}
