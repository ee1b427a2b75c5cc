import type { JsonValue } from '@bufbuild/protobuf';
import { z } from 'zod';

const typeFields = z.array(z.strictObject({ name: z.string(), type: z.string() }));

const typeField = (name: string, type: string) => z.strictObject({ name: z.literal(name), type: z.literal(type) });

const domainType = z.tuple([typeField('name', 'string'), typeField('version', 'string'), typeField('chainId', 'uint256')]);

/** A receipt as `GET /cards/transactions/{transactionId}/receipt` returns it. The fields that are not named here are those of the contract. */
const restReceipt = z.looseObject({
  decision: z.enum(['approve', 'decline']),
  signerType: z.enum(['wallet', 'safe']),
  typedData: z.strictObject({
    domain: z.strictObject({ name: z.string(), version: z.string(), chainId: z.int() }),
    primaryType: z.literal('Message'),
    types: z.strictObject({ EIP712Domain: domainType.optional(), Message: typeFields }),
    message: z.strictObject({ authorization: z.string(), nonce: z.string() }),
  }),
});

const toContract = ({ decision, signerType, typedData, ...facts }: z.output<typeof restReceipt>): object => ({
  ...facts,
  decision: `DECISION_${decision.toUpperCase()}`,
  signerType: `SIGNER_TYPE_${signerType.toUpperCase()}`,
  typedData: {
    domainName: typedData.domain.name,
    domainVersion: typedData.domain.version,
    domainChainId: typedData.domain.chainId,
    messageTypes: typedData.types.Message,
    ...typedData.message,
  },
});

const file = z.object({ receipt: restReceipt }).or(restReceipt.transform((receipt) => ({ receipt })));

/**
 * The JSON of GetReceipt's response for a receipt of the REST interface, alone or in the response that has it; any other JSON as it is.
 * The fields' values stay unchecked.
 */
export const contractJsonOf = (json: unknown): JsonValue => {
  const parsed = file.safeParse(json);
  return (parsed.success ? { receipt: toContract(parsed.data.receipt) } : json) as JsonValue;
};
