/** The ends of an address, by which people recognize it, for example `0x5290…9EE7`. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
