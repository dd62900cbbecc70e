import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { pour } from '../../helpers/receiver-behaviour.ts';

test('a pour ends with the write that failed, though its socket is not destroyed yet', async () => {
  let writes = 0;
  const socket = new Writable({
    write(_chunk, _encoding, done) {
      writes += 1;
      setImmediate(done, writes < 3 ? null : new Error('gone'));
    },
  });
  const failed = new Promise((resolve) => socket.once('error', resolve));
  pour(socket as Socket, 'x');
  expect(await failed).toMatchObject({ message: 'gone' });
  expect(writes).toBe(3);
});
