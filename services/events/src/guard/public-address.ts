import { BlockList, isIP } from 'node:net';

/** Address of the host agent of every virtual machine of Azure: public by the registries, yet it answers on the inside only. */
const AZURE_HOST = '168.63.129.16/32';

/** IPv4 networks that are not of the public internet (IANA special-purpose registry), multicast and reserved ones. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** The part of IPv6 that is given out for the public internet. Everything outside it is forbidden: mapped and NAT64 forms, ULA, link-local, multicast. */
const PUBLIC_IPV6 = '2000::/3';

/** Networks in it that are not public hosts: protocol assignments with Teredo, documentation, 6to4, AS112, and segment routing. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '3ffe::/16'] as const;

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const specialIpv4 = listOf([...SPECIAL_IPV4, AZURE_HOST], 'ipv4');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');
const publicIpv6 = listOf([PUBLIC_IPV6], 'ipv6');

/** Reports whether an address, in text, is one of a host on the public internet. Anything that is not an address is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !specialIpv4.check(address, 'ipv4');
  // With a zone (`fe80::1%eth0`) it belongs to a link.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return publicIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
};

const loopback = listOf(['127.0.0.0/8'], 'ipv4');

/** Reports whether an address is one of this machine. */
export const isLoopbackAddress = (address: string): boolean => (isIP(address) === 4 ? loopback.check(address, 'ipv4') : address === '::1');

/** A network in CIDR form. */
export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' };

/** Bits of the addresses of a version of the protocol; of text that is no address, none. */
const WIDTHS: Readonly<Record<number, number>> = { 0: -1, 4: 32, 6: 128 };

/** Which addresses deliveries may go to. */
export type AddressRule = (address: string) => boolean;

/** Reads networks, `203.0.113.0/24` or `2001:db8::/32`. @returns undefined when one of them is none */
export const parseNetworks = (texts: readonly string[]): readonly Network[] | undefined => {
  const networks = texts.map((text) => {
    const [, address = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
    const version = isIP(address);
    const prefix = Number(digits);
    return { address, prefix, family: version === 4 ? ('ipv4' as const) : ('ipv6' as const), isValid: prefix <= (WIDTHS[version] ?? -1) };
  });
  return networks.every(({ address, isValid }) => isIP(address) !== 0 && !address.includes('%') && isValid) ? networks : undefined;
};

/**
 * @param allowsLoopback for a sandbox on one machine
 * @param denied networks to which nothing goes, though they are public: those of the operator
 */
export const addressRule = (allowsLoopback: boolean, denied: readonly Network[] = []): AddressRule => {
  const list = new BlockList();
  for (const { address, prefix, family } of denied) list.addSubnet(address, prefix, family);
  const isDenied = (address: string): boolean => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  const isAllowed = allowsLoopback ? (address: string) => isPublicAddress(address) || isLoopbackAddress(address) : isPublicAddress;
  return (address) => isAllowed(address) && !isDenied(address);
};
