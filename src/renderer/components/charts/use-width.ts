import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in px, as it changes; `start` until it is known (and where nothing is laid out, as in jsdom). */
export function useWidth<E extends HTMLElement>(start: number): [RefObject<E | null>, number] {
  const host = useRef<E>(null);
  const [width, setWidth] = useState(start);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const measure = () => {
      if (element.clientWidth > 60) setWidth(element.clientWidth);
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [host, width];
}
