import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useWindowKeys } from '../../../src/renderer/frame/use-window-keys.ts';

/** As in a browser: effects run when React runs them, not when a test has finished something. */
const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
beforeEach(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = false;
});
afterEach(() => {
  environment.IS_REACT_ACT_ENVIRONMENT = true;
  document.body.replaceChildren();
});

/** Presses the key as soon as the page shows `text`, before React does anything more. */
const pressWhenDrawn = (page: HTMLElement, text: string): Promise<void> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (page.textContent !== text) return;
      observer.disconnect();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }));
      resolve();
    });
    observer.observe(page, { childList: true, characterData: true, subtree: true });
  });

it('a key acts on what is drawn, from the moment when it is drawn', async () => {
  const heard: string[] = [];
  let effects = 0;
  let show: (text: string) => void = () => {};
  function Page() {
    const [text, setText] = useState('first');
    show = setText;
    useWindowKeys(() => heard.push(text));
    useEffect(() => {
      effects += 1;
    });
    return text;
  }
  const page = document.createElement('main');
  document.body.append(page);
  const root = createRoot(page);
  const first = pressWhenDrawn(page, 'first');
  root.render(<Page />);
  await first;
  // The press was early enough to tell: no ordinary effect has run yet.
  expect({ heard, effects }).toEqual({ heard: ['first'], effects: 0 });
  const second = pressWhenDrawn(page, 'second');
  show('second');
  await second;
  expect(heard).toEqual(['first', 'second']);
  root.unmount();
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }));
  expect(heard).toEqual(['first', 'second']);
});

it('hears a key before the focused control when asked to', () => {
  const heard: string[] = [];
  const page = document.createElement('main');
  const field = document.createElement('input');
  document.body.append(page, field);
  field.addEventListener('keydown', () => heard.push('the control'));
  function Page() {
    useWindowKeys(() => heard.push('early'), { early: true });
    useWindowKeys(() => heard.push('late'));
    return null;
  }
  const root = createRoot(page);
  return new Promise<void>((resolve) => {
    function Ready() {
      useEffect(resolve, []);
      return <Page />;
    }
    root.render(<Ready />);
  }).then(() => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
    expect(heard).toEqual(['early', 'the control', 'late']);
    root.unmount();
  });
});
