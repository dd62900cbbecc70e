import { useEffect, useState } from 'react';

/** True once `waiting` has been true for `ms`. */
export function useLate(waiting: boolean, ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return late;
}
