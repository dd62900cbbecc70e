import { expect, it } from 'vitest';
import { OpenPorts } from '../../../src/core/ingest/open-ports.ts';

it('the open ports are those that something listens on, the interface last', () => {
  const ports = new OpenPorts(9);
  expect(ports.all()).toEqual([9]);
  ports.http = 7;
  ports.https = 8;
  expect(ports.all()).toEqual([7, 8, 9]);
  ports.http = null;
  expect(ports.all()).toEqual([8, 9]);
});

it('without a port of the interface there are none until a listener listens', () => {
  const ports = new OpenPorts(undefined);
  expect(ports.all()).toEqual([]);
  ports.http = 0;
  expect(ports.all()).toEqual([0]);
});
