import type { TypedMessage } from '@florin/proto/common/v1/typed_message';
import { z } from 'zod';

const typedField = z.object({ name: z.string(), type: z.string() });

/** The type of `domain`, as EIP-712 defines it for the fields that are used. */
const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

/** Section 2.4 of the specification: EIP-712 typed data that a wallet signs unchanged. `message.nonce` is a big integer. */
export const typedMessage = z
  .object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.int() }),
    primaryType: z.literal('Message'),
    types: z.object({
      EIP712Domain: z.array(typedField).optional().meta({ description: 'Type of `domain`; present with `domainType=true`' }),
      Message: z.array(typedField),
    }),
    message: z.object({
      authorization: z.string().meta({
        description:
          'The text that the wallet shows, with every fact of the consent; for a card payment decision, amount, merchant, card, challenge and expiry',
      }),
      nonce: z.string().regex(/^\d+$/).meta({ description: 'Single-use 256-bit number in decimal' }),
    }),
  })
  .meta({ id: 'TypedMessage' });

/** Query of operations that return typed data. */
export const typedDataQuery = z.object({
  domainType: z.enum(['true', 'false']).default('false').meta({
    description:
      'True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both.',
  }),
});

/** @param withDomainType adds `EIP712Domain` to the types, for raw `eth_signTypedData_v4`; ethers rejects it, viem accepts both */
export const toTypedMessage = (wire: TypedMessage, withDomainType: boolean): z.output<typeof typedMessage> => ({
  domain: { name: wire.domainName, version: wire.domainVersion, chainId: wire.domainChainId },
  primaryType: 'Message',
  types: {
    ...(withDomainType ? { EIP712Domain: EIP712_DOMAIN } : {}),
    Message: wire.messageTypes.map(({ name, type }) => ({ name, type })),
  },
  message: { authorization: wire.authorization, nonce: wire.nonce },
});
