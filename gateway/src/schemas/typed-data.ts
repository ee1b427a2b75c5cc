import { z } from 'zod';

const typedField = z.object({ name: z.string(), type: z.string() });

/** The type of `domain`, as EIP-712 defines it for the fields that are used. */
const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

/** Members of `Message`, in the order of their encoding. */
const MESSAGE = [
  { name: 'authorization', type: 'string' },
  { name: 'nonce', type: 'uint256' },
];

/** EIP-712 typed data that a wallet signs unchanged. `message.nonce` is a big integer. */
const typedData = (id: string, authorization: string) =>
  z
    .object({
      domain: z.object({ name: z.string(), version: z.string(), chainId: z.int() }),
      primaryType: z.literal('Message'),
      types: z.object({
        EIP712Domain: z.array(typedField).optional().meta({ description: 'Type of `domain`; present with `domainType=true`' }),
        Message: z.array(typedField),
      }),
      message: z.object({
        authorization: z.string().meta({ description: authorization }),
        nonce: z.string().regex(/^\d+$/).meta({ description: 'Single-use 256-bit number in decimal' }),
      }),
    })
    .meta({ id });

/** Section 2.4 of the specification. */
export const decisionData = typedData(
  'DecisionTypedData',
  'The text that the wallet shows: decision, amount, merchant, card, challenge and expiry',
);

export const walletApprovalData = typedData('WalletApprovalTypedData', 'The text that the wallet shows: change, wallet, user and expiry');

/** Query of operations that return typed data. */
export const typedDataQuery = z.object({
  domainType: z.enum(['true', 'false']).default('false').meta({
    description:
      'Whether `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both.',
  }),
});

type Wire = {
  domainName: string;
  domainVersion: string;
  domainChainId: number | bigint;
  authorization: string;
  nonce: string;
};

/** @param domainType `true` adds `EIP712Domain` to the types, for raw `eth_signTypedData_v4`; ethers rejects it, viem accepts both */
export const toTypedData = (wire: Wire, { domainType }: z.output<typeof typedDataQuery>): z.output<typeof decisionData> => ({
  domain: { name: wire.domainName, version: wire.domainVersion, chainId: Number(wire.domainChainId) },
  primaryType: 'Message',
  types: { ...(domainType === 'true' ? { EIP712Domain: EIP712_DOMAIN } : {}), Message: MESSAGE },
  message: { authorization: wire.authorization, nonce: wire.nonce },
});
