import { expect, onTestFinished, test, vi } from 'vitest';
import { listeningText, sayReady } from '../../../src/headless/serve.ts';

const at = { port: 8765, holder: null, message: null } as const;

test('says where calls come in', () => {
  const text = listeningText({ ...at, state: 'listening' }, 'http://127.0.0.1:8765');
  expect(text).toBe('Hookbench listens for calls on http://127.0.0.1:8765.');
});

test('or why they do not, and what to do', () => {
  const message = 'Port 8765 is in use, so no events can arrive.';
  const text = listeningText({ ...at, state: 'port_in_use', message }, '');
  expect(text).toBe(
    'Hookbench does not listen for calls yet. Port 8765 is in use, so no events can arrive. ' +
      'Choose another port in the interface, or start again with --ingest-port.',
  );
});

function readyLine(listener: Parameters<typeof listeningText>[0]): unknown {
  const written: string[] = [];
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => out.mockRestore());
  const shell = { ingestUrl: 'http://127.0.0.1:8765', httpsUrl: null, uiUrl: 'http://127.0.0.1:1/', workspace: '/w' };
  sayReady({ ...shell, listener, notSending: [] } as unknown as Parameters<typeof sayReady>[0], true);
  return JSON.parse(written.join(''));
}

test('the line for programs is ready when calls can come in', () => {
  expect(readyLine({ ...at, state: 'listening' })).toEqual({
    ready: true,
    ingest: 'http://127.0.0.1:8765',
    ui: 'http://127.0.0.1:1/',
    workspace: '/w',
    notSending: [],
    pid: process.pid,
  });
});

test('and names no address where they cannot', () => {
  const message = 'Port 8765 is in use, so no events can arrive.';
  expect(readyLine({ ...at, state: 'port_in_use', message })).toMatchObject({
    ready: false,
    listener: { state: 'port_in_use', message },
    ingest: null,
  });
});
