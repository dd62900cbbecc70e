import { expect, test } from 'vitest';
import { listeningText } from '../../../src/headless/serve.ts';

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
