import { type Address, type Hex, hashTypedData, recoverAddress } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/**
 * The address whose key made a canonical signature over the typed data, EIP-55.
 * @returns undefined when r is no point of the curve. Any other signature recovers to *some* address: compare it.
 */
export const recoverSigner = async (data: DecisionTypedData, signature: Hex): Promise<Address | undefined> => {
  const hash = hashTypedData(toSignable(data));
  try {
    return await recoverAddress({ hash, signature });
  } catch {
    return undefined;
  }
};
