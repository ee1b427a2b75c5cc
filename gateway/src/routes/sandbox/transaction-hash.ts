import { createHash } from 'node:crypto';

/**
 * A transaction hash as a chain would have made one. The same request has the same, so that a retry is no second transfer.
 * @param end hex digits that it ends in
 */
export const sandboxTransactionHash = (requestKey: string, end = ''): string => {
  const hash = createHash('sha256').update(`florin sandbox transaction ${requestKey}`).digest('hex');
  return `0x${hash.slice(0, hash.length - end.length)}${end}`;
};
