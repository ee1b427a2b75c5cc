import type { Signable } from '@florin/evm/testing';
import { type Address, concat, domainSeparator, type Hex, hashStruct, hashTypedData, keccak256, numberToHex, pad, size } from 'viem';
import type { LocalAccount } from 'viem/accounts';

const TYPES = { SafeMessage: [{ name: 'message', type: 'bytes' }] } as const;

/** The bytes whose hash the owners of a Safe sign for a message: the message wrapped for this Safe on this chain. */
const wrapped = (safe: Address, chainId: number, message: Hex): Hex => {
  const domain = { chainId, verifyingContract: safe };
  return concat(['0x1901', domainSeparator({ domain }), hashStruct({ data: { message }, primaryType: 'SafeMessage', types: TYPES })]);
};

/** The owners' signatures in the order of their addresses, as Safe requires. */
const inOrder = async (owners: readonly LocalAccount[], hash: Hex): Promise<Hex> => {
  const sorted = [...owners].sort((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1));
  const signatures = sorted.map((owner) => {
    if (owner.sign === undefined) throw new Error('the owner cannot sign');
    return owner.sign({ hash });
  });
  return concat(await Promise.all(signatures));
};

/** The signature of a Safe over a digest. */
export const signDigestAsSafe = (safe: Address, owners: readonly LocalAccount[], chainId: number, digest: Hex): Promise<Hex> =>
  inOrder(owners, keccak256(wrapped(safe, chainId, digest)));

/** The signature of a Safe over typed data. */
export const signAsSafe = (safe: Address, owners: readonly LocalAccount[], data: Signable): Promise<Hex> =>
  signDigestAsSafe(safe, owners, data.domain.chainId, hashTypedData(data));

/** The signature of a Safe whose only owner is a Safe: the inner owners sign the outer wrapping, wrapped again. */
export const signAsNestedSafe = async (outer: Address, inner: Address, owners: readonly LocalAccount[], data: Signable): Promise<Hex> => {
  const { chainId } = data.domain;
  const message = wrapped(outer, chainId, hashTypedData(data));
  const signature = await inOrder(owners, keccak256(wrapped(inner, chainId, message)));
  // Contract signature of Safe: owner, offset of the dynamic part, v 0; then length and bytes of the dynamic part.
  return concat([pad(inner), numberToHex(65, { size: 32 }), '0x00', numberToHex(size(signature), { size: 32 }), signature]);
};
