import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not of the public internet (IANA special-purpose registry), with multicast and reserved ones. */
const PRIVATE_V4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Networks within 2000::/3, the only public one of IPv6, that are not public, or lead to an IPv4 address of their own. */
const PRIVATE_V6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const privateV4 = new BlockList();
for (const [network, bits] of PRIVATE_V4) privateV4.addSubnet(network, bits, 'ipv4');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
const privateV6 = new BlockList();
for (const [network, bits] of PRIVATE_V6) privateV6.addSubnet(network, bits, 'ipv6');

/**
 * Returns whether a request for a user may be sent to this IP address: false for loopback, private, link-local, multicast and reserved
 * networks, for IPv4 addresses written as IPv6, and for a text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateV4.check(address, 'ipv4');
    case 6:
      // With a zone it is link-local. Mapped, translated and local addresses are outside of 2000::/3.
      return !address.includes('%') && publicV6.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Returns whether a request for a user may be sent to the port of this URL: not to one of another protocol, such as mail. */
export function isAllowedPort({ port }: URL): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) > 1_023;
}
