import { createHash } from 'node:crypto';

/** A transaction hash as a chain would have made one. The same request has the same, so that a retry is no second transfer. */
export const sandboxTransactionHash = (requestKey: string): string =>
  `0x${createHash('sha256').update(`florin sandbox transaction ${requestKey}`).digest('hex')}`;
