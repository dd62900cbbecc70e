/** What the bar says of selected messages. A file of its own: the page must not have their rows from another test. */
import { expect, it, onTestFinished } from 'vitest';
import { getRow } from '../../../src/renderer/stores/records.ts';
import { press, settle, until } from '../base/harness.tsx';
import { engine, mixedCalls, open, rows } from './world.tsx';

it('says what is selected once its rows are read, though no page of the list has brought them', async () => {
  let release = () => {};
  await open(mixedCalls(150), {}, (made) => {
    release = made.hold('messages.window');
  });
  release();
  const releaseRest = engine.hold('messages.window');
  onTestFinished(releaseRest);
  await until(() => rows().length > 0);
  expect(getRow(1)).toBeUndefined();
  await press(rows()[0]!, 'a', { ctrlKey: true });
  await until(() => getRow(1) !== undefined);
  await settle();
  expect(document.querySelector('[aria-label="Selected messages"]')?.textContent).toMatch(/150 selected.*, [\d.]+ KB/);
});
