import { fromJson, fromJsonString, toJson } from '@bufbuild/protobuf';
import { timestampDate, ValueSchema } from '@bufbuild/protobuf/wkt';
import { type DecisionReceipt, SignerType, Decision as WireDecision } from '@florin/proto/threeds/v1/challenge';
import { GetReceiptResponseSchema } from '@florin/proto/threeds/v1/challenge_service';
import { type Address, getAddress, type Hex, isAddress } from 'viem';
import { z } from 'zod';
import { contractJsonOf } from './rest-receipt.ts';

/** A receipt is invalid; the message names the field or fact. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError';
}

/** Far larger than any receipt. */
const MAX_CHARACTERS = 65_536;

const hexOf = (minBytes: number, maxBytes = minBytes) =>
  z
    .string()
    .regex(new RegExp(`^0x(?:[0-9a-f]{2}){${minBytes},${maxBytes}}$`), 'is not lower-case 0x hex of the expected length')
    .transform((text) => text as Hex);

const address = z
  .string()
  .refine((text) => isAddress(text) && getAddress(text) === text, 'is not an EIP-55 address')
  .transform((text) => text as Address);

const time = z
  .custom<NonNullable<DecisionReceipt['issuedAt']>>((value) => value !== undefined, 'is missing')
  .refine(({ nanos }) => nanos % 1_000_000 === 0, 'has more than millisecond precision')
  .transform((value) => timestampDate(value));

const INTEGER = /^(?:0|[1-9][0-9]{0,77})$/;
const integer = z.string().regex(INTEGER, 'is not a canonical decimal integer');

const UINT256_END = 1n << 256n;

/** The fields of a receipt, each in its canonical form. */
const shape = z.object({
  challengeId: z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'is not a lower-case UUID'),
  decision: z
    .union([z.literal(WireDecision.APPROVE), z.literal(WireDecision.DECLINE)], { error: 'is neither approve nor decline' })
    .transform((value) => (value === WireDecision.APPROVE ? 'approve' : 'decline')),
  typedData: z.object(
    {
      domainName: z.string(),
      domainVersion: z.string(),
      domainChainId: z.int().positive(),
      messageTypes: z.array(z.object({ name: z.string(), type: z.string() })),
      authorization: z.string(),
      nonce: integer.refine((text) => !INTEGER.test(text) || BigInt(text) < UINT256_END, 'is more than 256 bits'),
    },
    { error: 'is missing' },
  ),
  typedDataHash: hexOf(32),
  signature: hexOf(65, 2048),
  signer: address,
  signerType: z
    .union([z.literal(SignerType.WALLET), z.literal(SignerType.SAFE)], { error: 'is neither wallet nor Safe' })
    .transform((value) => (value === SignerType.WALLET ? 'wallet' : 'safe')),
  blockNumber: z
    .bigint()
    .max(BigInt(Number.MAX_SAFE_INTEGER), 'is not a block number')
    .transform((value) => Number(value)),
  issuedAt: time,
  decidedAt: time,
  expiresAt: time,
  amount: z.union([z.literal(''), integer]),
  currency: z.string().regex(/^(?:[A-Z]{3})?$/, 'is not an ISO 4217 code'),
  decimals: z.int().min(0).max(4),
  cardLast4: z.string().regex(/^[0-9]{4}$/, 'is not four digits'),
  merchant: z
    .object({ id: z.string(), displayName: z.string(), country: z.string(), categoryCode: z.string() })
    .optional()
    .transform((given): Record<string, string> => Object.fromEntries(Object.entries(given ?? {}).filter(([, text]) => text !== ''))),
  fingerprint: hexOf(32),
});

export type ReadReceipt = z.output<typeof shape> & { wire: DecisionReceipt };

/** Unlike JSON.parse, this rejects duplicate names. */
const readJson = (text: string) => toJson(ValueSchema, fromJsonString(ValueSchema, text));

/**
 * Parses the JSON of a receipt: GetReceipt's response, as grpcurl prints it, or what the REST interface returns.
 * @throws ReceiptError on a duplicate or unknown name, or a missing or malformed value
 */
export const readReceipt = (text: string): ReadReceipt => {
  if (text.length > MAX_CHARACTERS) throw new ReceiptError('the file is too large for a receipt');
  let wire: DecisionReceipt | undefined;
  try {
    ({ receipt: wire } = fromJson(GetReceiptResponseSchema, contractJsonOf(readJson(text))));
  } catch (cause) {
    throw new ReceiptError(`the file is not the JSON of a receipt: ${cause instanceof Error ? cause.message : 'unreadable'}`);
  }
  if (wire === undefined) throw new ReceiptError('the file contains no receipt');
  const parsed = shape.safeParse(wire);
  if (parsed.success) return { ...parsed.data, wire };
  const [issue] = parsed.error.issues;
  throw new ReceiptError(`${issue?.path.join('.') ?? 'receipt'} ${issue?.message ?? 'is malformed'}`);
};
