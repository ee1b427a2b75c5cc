import { isAddress } from 'viem/utils';

/** The problem of a text that should be an EVM address, as the key of its words; undefined if it is one. Mixed case must carry the right checksum (EIP-55). */
export const addressProblem = (text: string): 'withdraw.to_wrong' | 'withdraw.to_mistyped' | undefined => {
  if (!isAddress(text, { strict: false })) return 'withdraw.to_wrong';
  return isAddress(text) ? undefined : 'withdraw.to_mistyped';
};
