import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { joinOwnerSignatures, type SafeTransaction, safeTypedData } from '../safe/index.ts';

/** The signatures of owners with private keys, as a Safe takes them. */
export const signSafeTransaction = async (transaction: SafeTransaction, owners: readonly PrivateKeyAccount[]): Promise<Hex> => {
  const data = safeTypedData(transaction);
  return joinOwnerSignatures(
    await Promise.all(owners.map(async (key) => ({ owner: key.address, signature: await key.signTypedData(data) }))),
  );
};
