import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The 16-bit groups of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::');
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [parse(head), parse(tail ?? '')];
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
};

/**
 * The requester that an IP address stands for, so that one person counts as one: an IPv4 address, or the /56 network of an IPv6 address,
 * which providers assign to one customer. Undefined for a text that is not an IP address.
 */
export const requesterOf = (ip: string): string | undefined => {
  const mapped = MAPPED_IPV4.exec(ip)?.[1];
  if (mapped !== undefined) return requesterOf(mapped);
  if (isIPv4(ip)) return ip;
  if (!isIPv6(ip) || ip.includes('.') || ip.includes('%')) return undefined;
  const [first = 0, second = 0, third = 0, fourth = 0] = groupsOf(ip);
  return [first, second, third, fourth & 0xff00].map((group) => group.toString(16)).join(':');
};
