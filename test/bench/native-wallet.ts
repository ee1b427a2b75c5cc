import { createNativeSigner } from '@florin/evm/testing';
import { hashMessage, hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Wallet } from '../support/story.ts';

/**
 * A new wallet that signs natively. Wallets are devices of their own: here they share the processor with the platform that is measured, and
 * should take as little of it as they can.
 */
export const nativeWallet = (): Wallet => {
  const key = generatePrivateKey();
  const sign = createNativeSigner(key);
  return {
    ...privateKeyToAccount(key),
    sign: async ({ hash }) => sign(hash),
    signMessage: async ({ message }) => sign(hashMessage(message)),
    signTypedData: async (typedData) => sign(hashTypedData(typedData)),
  };
};
