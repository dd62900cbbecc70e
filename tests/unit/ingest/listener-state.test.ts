/** A listener as the interface shows it, and the words of an error of listening. */
import { describe, expect, it } from 'vitest';
import { ListenError } from '../../../src/core/ingest/listen-error.ts';
import { listeningState, notListening, stoppedState } from '../../../src/core/ingest/listener-state.ts';

const holder = { name: 'node', pid: 7 };

it('a listener that listens, and one that does not yet', () => {
  const rest = { port: 8765, message: null, holder: null };
  expect(listeningState({ port: 8765, addresses: ['127.0.0.1'] })).toEqual({ state: 'listening', ...rest });
  expect(stoppedState(8765)).toEqual({ state: 'stopped', ...rest });
});

describe('a port that cannot be had is a state', () => {
  it.each([
    [
      new ListenError('port_in_use', 8765, holder, null),
      'port_in_use',
      'Port 8765 is in use, so no events can arrive. node (process 7) is listening on it.',
      'node (process 7)',
    ],
    [
      new ListenError('port_in_use', 8765, null, null),
      'port_in_use',
      'Port 8765 is in use, so no events can arrive.',
      null,
    ],
    [
      new ListenError('port_denied', 80, null, null),
      'failed',
      'Port 80 may not be used by this user, so no events can arrive. Choose a port from 1024 on.',
      null,
    ],
    [
      new ListenError('listen_failed', 1234, null, new Error('odd')),
      'failed',
      'Port 1234 could not be opened, so no events can arrive. odd',
      null,
    ],
  ])('%s', (error, state, message, shown) => {
    expect(notListening(error, 99)).toEqual({ state, port: 99, message, holder: shown });
    expect([error.name, error.message]).toEqual(['ListenError', message]);
  });

  it('but an error of another kind is none', () => {
    const odd = new Error('odd');
    expect(() => notListening(odd, 1)).toThrow(odd);
  });
});
