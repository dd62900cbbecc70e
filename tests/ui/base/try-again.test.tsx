import { act } from 'react';
import { afterEach, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { App } from '../../../src/renderer/app.tsx';
import type { ConnectionState } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate, type Route } from '../../../src/renderer/stores/route.ts';
import { byName, connectEngine, disconnect, type Rendered, render, until } from './harness.tsx';

let shown: Rendered | null = null;
afterEach(() => {
  shown?.unmount();
  shown = null;
  disconnect();
});

const text = () => document.body.textContent ?? '';

/** Every kind of page that reads when it is opened: what it asks, and what it says once it has the answer. */
const PAGES: [Route, command: string, failed: string, read: string][] = [
  [{ screen: 'people', personId: null }, 'people.list', 'Could not read people.', 'Nobody yet.'],
  [
    { screen: 'replay', messageId: null },
    'messages.list',
    'The messages could not be read.',
    'Pick a message to replay',
  ],
  [
    { screen: 'deletions', requestId: null, view: 'suppressed' },
    'deletions.suppressions',
    'Could not read the list.',
    'No user is suppressed.',
  ],
];

const connection = (state: ConnectionState) => act(async () => useRecords.setState({ connection: state }));

it.each(PAGES)('$screen: reads by itself what could not be read, once the engine is back', async (route, ...page) => {
  const [command, failed, read] = page;
  const engine = await connectEngine();
  navigate({ screen: 'sources' });
  shown = await render(<App />);
  engine.failNext(command as never, new ContractError('stopped', 'There is no connection to the engine.'));
  await act(async () => navigate(route));
  await until(() => text().includes(failed));
  byName('button', 'Try again');
  await connection('lost');
  expect(text()).toContain(failed);
  await connection('open');
  await until(() => text().includes(read));
  expect(text()).not.toContain(failed);
});

it('the fault report says nothing of clients before it is read', async () => {
  await connectEngine();
  navigate({ screen: 'sources' });
  shown = await render(<App />);
  await connection('lost');
  await act(async () => navigate({ screen: 'faults' }));
  await until(() => text().includes('SDK fault report'));
  expect(text()).not.toContain('No client has met a fault yet.');
  await connection('open');
  await until(() => text().includes('No client has met a fault yet.'));
});
