import { useEffect, useState } from 'react';

export type Asked<T> = { readonly answer: T } | { readonly error: string } | null;

/** Asks once for a message; null until the answer is there. `ask` must be the same function at each render. */
export function useAsked<T>(id: number, ask: (id: number) => Promise<T>): { asked: Asked<T>; again: () => void } {
  const [tries, setTries] = useState(0);
  const [asked, setAsked] = useState<Asked<T>>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try asks again
  useEffect(() => {
    let isOpen = true;
    const put = (next: Asked<T>) => {
      if (isOpen) setAsked(next);
    };
    setAsked(null);
    ask(id).then(
      (answer) => put({ answer }),
      (error: unknown) => put({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isOpen = false;
    };
  }, [id, ask, tries]);
  return { asked, again: () => setTries(tries + 1) };
}
