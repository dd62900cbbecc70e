import { BlockList } from 'node:net';

/** A place to connect to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

// A BlockList also applies an IPv4 rule to an IPv4-mapped IPv6 address.
const thisMachine = new BlockList();
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('0.0.0.0', 'ipv4');
thisMachine.addAddress('::1', 'ipv6');
thisMachine.addAddress('::', 'ipv6');

const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
// The same IPv4 block behind NAT64 and 6to4, and a cloud's metadata service on IPv6.
linkLocal.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
linkLocal.addSubnet('2002:a9fe::', 32, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** Whether a connection to this address ends on this machine. */
export function isLoopback({ address, family }: Address): boolean {
  return thisMachine.check(address, familyName(family));
}

/** Link-local addresses, where cloud machines keep their credentials (reliability: dial guard). */
export function isLinkLocal({ address, family }: Address): boolean {
  return linkLocal.check(address, familyName(family));
}

/** `127.0.0.1:80`, `[::1]:80` */
export function addressText({ address, family }: Address, port: number): string {
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

function familyName(family: 4 | 6): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6';
}
