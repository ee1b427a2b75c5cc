import { CodedError } from '@florin/rpc/errors';

/** A client of the chain service. @throws CodedError SAFES_NOT_AVAILABLE where none is configured */
export const requireChain = <T>(client: T | undefined): T => {
  if (client === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
  return client;
};
