/** Components whose code is loaded when they are first shown, or before that, when something has asked for it. */
import { type ComponentType, lazy, useState } from 'react';

export interface Deferred<P> {
  readonly Component: ComponentType<P>;
  /** Resolves when the code is there. From then on the component renders at once and needs no Suspense. */
  preload(): Promise<void>;
}

export function deferred<P extends object>(load: () => Promise<ComponentType<P>>): Deferred<P> {
  let loading: Promise<void> | null = null;
  let loaded: ComponentType<P> | null = null;
  const preload = (): Promise<void> => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const Lazy = lazy(async () => {
    await preload();
    return { default: loaded! };
  });
  /** What is mounted stays the same component, so that it keeps its state. */
  const Component = (props: P) => {
    const [Chosen] = useState<ComponentType<P>>(() => loaded ?? (Lazy as ComponentType<P>));
    return <Chosen {...props} />;
  };
  return { Component, preload };
}

/** A page that is never idle still runs it after this time, in milliseconds. */
const IDLE_WITHIN_MS = 1_000;

/** Runs once, after the next frame was drawn and when the page has nothing more urgent to do. Safari knows no idle time. */
export function whenIdle(run: () => void): void {
  requestAnimationFrame(() => {
    if (window.requestIdleCallback === undefined) setTimeout(run);
    else window.requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  });
}

/** How long nothing may be typed before {@link whenRested} runs, in milliseconds. */
export const REST_MS = 500;

/**
 * Runs once, when the page is idle and nothing was typed for a while: what is prepared for later must not delay the
 * answer to a key. Returns what gives it up.
 */
export function whenRested(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isWanted = true;
  const stop = (): void => {
    clearTimeout(timer);
    removeEventListener('input', wait, true);
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stop();
      whenIdle(() => isWanted && run());
    }, REST_MS);
  };
  addEventListener('input', wait, true);
  wait();
  return () => {
    isWanted = false;
    stop();
  };
}
