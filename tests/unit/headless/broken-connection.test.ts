/** What the server of the interface does about a connection without a request. */
import { expect, it, vi } from 'vitest';
import { answerBroken } from '../../../src/headless/server.ts';

it.each([
  ['a spare connection of a browser is closed without an answer', 0, true, 0],
  ['bytes that are no request are answered', 4, true, 1],
  ['a connection that the client closed is given up', 4, false, 0],
])('%s', (_name, bytesRead, writable, answers) => {
  const socket = { bytesRead, writable, end: vi.fn(), destroy: vi.fn() };
  answerBroken(socket as unknown as Parameters<typeof answerBroken>[0]);
  expect([socket.end.mock.calls.length, socket.destroy.mock.calls.length]).toEqual([answers, 1 - answers]);
  if (answers === 1) expect(socket.end.mock.calls[0]?.[0]).toMatch(/^HTTP\/1\.1 400 /);
});
