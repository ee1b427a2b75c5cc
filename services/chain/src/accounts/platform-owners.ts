import { joinOwnerSignatures, type OwnerSignature, type SafeTransaction, safeTransactionData } from '@florin/evm/safe';
import { CodedError } from '@florin/rpc/errors';
import type { Address } from 'viem';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import { readPlainSafe } from './inspect-safe.ts';

/** A second owner of users' Safes. */
export type PlatformOwner = {
  /** EIP-55. */
  address: Address;
  /**
   * The keys that sign for it now: a signature counts while these are the keys.
   * @throws CodedError SAFES_NOT_AVAILABLE, or what a node throws
   */
  signers: () => Promise<readonly Address[]>;
  /** Signs a transaction of a user's Safe. @throws CodedError SAFES_NOT_AVAILABLE, or what a node throws */
  sign: (transaction: SafeTransaction) => Promise<OwnerSignature>;
};

/** A key as an owner: its signature counts for ever. */
export const createKeyOwner = (key: KeySigner): PlatformOwner => ({
  address: key.address,
  signers: async () => [key.address],
  sign: async (transaction) => ({ owner: key.address, signature: await key.signSafeTransaction(transaction) }),
});

/** How long the owners of the platform's Safe are remembered. A signature by a key that is exchanged meanwhile fails on the chain, and is made again. */
const REMEMBERED_MS = 60_000;

type SafeOwnerParts = {
  chainId: number;
  address: Address;
  keys: ReadonlyMap<Address, KeySigner>;
  node: ExecutionNode;
  now: () => Date;
};

/**
 * A Safe of the platform as an owner. A user's Safe asks it by the legacy `isValidSignature(bytes,bytes)`, which its fallback handler answers by the
 * signatures of its own owners: exchanging a key is one `swapOwner` of this Safe, for all users' Safes at once.
 */
export const createSafeOwner = ({ chainId, address, keys, node, now }: SafeOwnerParts): PlatformOwner => {
  let known: { signers: readonly KeySigner[]; at: number } | undefined;
  const current = async (): Promise<readonly KeySigner[]> => {
    const at = now().getTime();
    if (known !== undefined && at - known.at < REMEMBERED_MS) return known.signers;
    const { owners, threshold } = (await readPlainSafe(node, address, await node.newestNumber())) ?? { owners: [], threshold: 1n };
    const signers = owners.flatMap((owner) => keys.get(owner) ?? []).slice(0, Number(threshold));
    // Not a Safe of the pinned code without modules, or one that these keys cannot sign for.
    if (BigInt(signers.length) < threshold) throw new CodedError('SAFES_NOT_AVAILABLE');
    known = { signers, at };
    return signers;
  };
  return {
    address,
    signers: async () => (await current()).map((signer) => signer.address),
    sign: async (transaction) => {
      const message = { chainId, safe: address, message: safeTransactionData(transaction) };
      const sign = async (key: KeySigner) => ({ owner: key.address, signature: await key.signSafeMessage(message) });
      return { owner: address, signature: joinOwnerSignatures(await Promise.all((await current()).map(sign))), isContract: true };
    },
  };
};
