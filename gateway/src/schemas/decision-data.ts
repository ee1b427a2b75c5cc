import type { DecisionTypedData } from '@florin/proto/threeds/v1/challenge';
import { z } from 'zod';

/** Section 2.4 of the specification: EIP-712 typed data that a wallet signs unchanged. `message.nonce` is a big integer. */
export const decisionData = z
  .object({
    domain: z.object({ name: z.string(), version: z.string(), chainId: z.int() }),
    primaryType: z.literal('Message'),
    types: z.object({ Message: z.array(z.object({ name: z.string(), type: z.string() })) }),
    message: z.object({
      authorization: z
        .string()
        .meta({ description: 'The text that the wallet shows: decision, amount, merchant, card, challenge and expiry' }),
      nonce: z.string().regex(/^\d+$/).meta({ description: 'Single-use 256-bit number in decimal' }),
    }),
  })
  .meta({ id: 'DecisionTypedData' });

export const toDecisionData = (wire: DecisionTypedData): z.output<typeof decisionData> => ({
  domain: { name: wire.domainName, version: wire.domainVersion, chainId: wire.domainChainId },
  primaryType: 'Message',
  types: { Message: wire.messageTypes.map(({ name, type }) => ({ name, type })) },
  message: { authorization: wire.authorization, nonce: wire.nonce },
});
