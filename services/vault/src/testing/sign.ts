import type { TypedMessage } from '@florin/proto/common/v1/typed_message';
import type { LocalAccount } from 'viem';

/** Signs typed data as a wallet does. */
export const sign = (wallet: LocalAccount, data: TypedMessage): Promise<string> =>
  wallet.signTypedData({
    domain: { name: data.domainName, version: data.domainVersion, chainId: data.domainChainId },
    types: { Message: data.messageTypes.map(({ name, type }) => ({ name, type })) },
    primaryType: 'Message',
    message: { authorization: data.authorization, nonce: BigInt(data.nonce) },
  });
