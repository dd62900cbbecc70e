/** For the tests of the interface, which share a window: takes back what a file leaves there. */
import { format } from 'node:util';
import { resetAnimationFrameScheduler } from '@base-ui/utils/useAnimationFrame';
import * as React from 'react';
import { afterAll, afterEach, expect } from 'vitest';

/**
 * React makes an Error for each element, whose stack would name its owner in a warning: a sixth of the processor time
 * of these tests. It makes none after 10,000 in a second.
 */
const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
Object.defineProperty(Reflect.get(React, INTERNALS), 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => 10_000,
  set: () => {},
});

/** As in a window that is drawn 60 times a second. Those of jsdom stop for good once a fake clock had their interval. */
Object.assign(globalThis, {
  requestAnimationFrame: (draw: FrameRequestCallback) => Number(setTimeout(() => draw(performance.now()), 16)),
  cancelAnimationFrame: (frame: number) => clearTimeout(frame),
});

/** What React complains of is a defect of the page or of the test. A test that wants an error replaces the function. */
const { error, warn } = console;
const complaints: string[] = [];
console.error = (...said) => void complaints.push(format(...said));
console.warn = console.error;

afterEach(() => {
  expect(complaints.splice(0), 'what the page or React complained of').toEqual([]);
});

afterAll(() => {
  Object.assign(console, { error, warn });
  // It may wait for a frame that a test with a clock of its own never gave.
  resetAnimationFrameScheduler();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
