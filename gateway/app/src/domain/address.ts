import { isAddress } from 'viem/utils';

const IN_CAPITALS = /^0x[\dA-F]+$/;

/** A typed address as the platform takes it. All capitals carry no checksum, as all small letters do not (EIP-55), but the platform takes only these without one. */
export const readAddress = (typed: string): string => {
  const text = typed.trim();
  return IN_CAPITALS.test(text) ? text.toLowerCase() : text;
};

/** The problem of a text that should be an EVM address, as the key of its words; undefined if it is one. Mixed case must carry the right checksum (EIP-55). */
export const addressProblem = (text: string): 'withdraw.to_wrong' | 'withdraw.to_mistyped' | undefined => {
  if (!isAddress(text, { strict: false })) return 'withdraw.to_wrong';
  return isAddress(text) ? undefined : 'withdraw.to_mistyped';
};
