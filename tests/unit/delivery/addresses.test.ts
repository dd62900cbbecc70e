import { expect, test } from 'vitest';
import { type Address, addressText, isLinkLocal, isLoopback } from '../../../src/core/delivery/transport/addresses.ts';

const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 });

test.each([
  ['127.0.0.1', true],
  ['127.255.255.255', true],
  ['126.255.255.255', false],
  ['128.0.0.0', false],
  ['0.0.0.0', true],
  ['0.0.0.1', false],
  ['::1', true],
  ['::', true],
  ['::2', false],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
])('%s ends on this machine: %s', (address, here) => {
  expect(isLoopback(at(address))).toBe(here);
});

test.each([
  ['169.254.169.254', true],
  ['169.254.0.0', true],
  ['169.255.0.0', false],
  ['169.253.255.255', false],
  ['::ffff:169.254.169.254', true],
  ['fe80::1', true],
  ['febf::1', true],
  ['fec0::1', false],
  ['64:ff9b::a9fe:a9fe', true],
  ['64:ff9b::a9ff:1', false],
  ['2002:a9fe:a9fe::1', true],
  ['2002:a9ff::1', false],
  ['fd00:ec2::254', true],
  ['fd00:ec2::255', false],
  ['127.0.0.1', false],
])('%s is link-local: %s', (address, isLocal) => {
  expect(isLinkLocal(at(address))).toBe(isLocal);
});

test.each([
  ['127.0.0.1', '127.0.0.1:80'],
  ['::1', '[::1]:80'],
])('%s with its port reads %s', (address, text) => {
  expect(addressText(at(address), 80)).toBe(text);
});
