import type { TypedMessage } from '@florin/proto/common/v1/typed_message';
import type { Hex, LocalAccount } from 'viem';

/** Typed data as an app passes it to a wallet: complete, with the types of the response and the nonce as a bigint. */
export const signableOf = (data: TypedMessage) => ({
  domain: { name: data.domainName, version: data.domainVersion, chainId: data.domainChainId },
  primaryType: 'Message' as const,
  types: { Message: data.messageTypes.map(({ name, type }) => ({ name, type })) },
  message: { authorization: data.authorization, nonce: BigInt(data.nonce) },
});

export type Signable = ReturnType<typeof signableOf>;

/** Signs typed data as a wallet does. */
export const signTypedMessage = (wallet: LocalAccount, data: TypedMessage): Promise<Hex> => wallet.signTypedData(signableOf(data));
