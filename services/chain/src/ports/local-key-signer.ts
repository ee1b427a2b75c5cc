import type { Hex } from '@florin/evm/hex';
import { safeMessageTypedData, safeTypedData } from '@florin/evm/safe';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { KeySigner } from './key-signer.ts';

/** Signs in this process, with a key from the configuration. */
export const createLocalKeySigner = (privateKey: Hex): KeySigner => {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    signSafeTransaction: (transaction) => account.signTypedData(safeTypedData(transaction)),
    signSafeMessage: (message) => account.signTypedData(safeMessageTypedData(message)),
    signTransaction: async (transaction) => {
      const raw = await account.signTransaction({ type: 'eip1559', ...transaction });
      return { raw, hash: keccak256(raw) };
    },
  };
};
