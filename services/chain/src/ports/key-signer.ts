import type { Hex } from '@florin/evm/hex';
import type { SafeMessage, SafeTransaction } from '@florin/evm/safe';
import type { Address } from 'viem';

/** A transaction of a key's own address (EIP-1559), without value. */
export type TransactionToSign = {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  gas: bigint;
  /** Wei per gas, tip included. */
  maxFeePerGas: bigint;
  /** Wei per gas. */
  maxPriorityFeePerGas: bigint;
};

/** A key of the platform on secp256k1. The key itself stays behind the port, for example in a hardware module. */
export type KeySigner = {
  /** EIP-55. */
  address: Address;
  /** Signs as one of a Safe's owners. @returns 65 bytes */
  signSafeTransaction: (transaction: SafeTransaction) => Promise<Hex>;
  /** Signs a message as one of the owners of a Safe of the platform. @returns 65 bytes */
  signSafeMessage: (message: SafeMessage) => Promise<Hex>;
  /** @returns the signed transaction, and its hash */
  signTransaction: (transaction: TransactionToSign) => Promise<{ raw: Hex; hash: Hex }>;
};
