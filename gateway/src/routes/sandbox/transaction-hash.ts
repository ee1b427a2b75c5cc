import { createHash } from 'node:crypto';

/**
 * Makes a transaction hash from the request key, so that a retry is not a second transfer.
 * @param end hexadecimal digits that the hash ends with
 */
export const sandboxTransactionHash = (requestKey: string, end = ''): string => {
  const hash = createHash('sha256').update(`florin sandbox transaction ${requestKey}`).digest('hex');
  return `0x${hash.slice(0, hash.length - end.length)}${end}`;
};
