import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { findLimitSchema } from '@florin/data/paging';
import { checksumAddress } from '@florin/evm/addresses';
import type { Hex } from '@florin/evm/hex';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import type { Metadata as WireMetadata } from '@florin/proto/ledger/v1/metadata';
import { actorSchema } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { getAddress, isAddress, zeroAddress } from 'viem';
import { z } from 'zod';
import { type Metadata, metadataProblem, NO_METADATA } from '../domain/metadata.ts';

/** Hash of a transaction: 0x and 64 hex digits, in one spelling, so that the same one is never taken for two. */
export const txHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text.toLowerCase());

/** The same, empty while there is no transaction yet. */
export const optionalTxHash = z.union([z.literal(''), txHash]);

/** The key by which a transaction is looked up. */
export const ofTransaction = z.object({ txHash, limit: findLimitSchema });

/** Address that marks the ends of Safe's list of owners; Safe rejects it as an owner. */
const SENTINEL = `0x${'1'.padStart(40, '0')}`;

/** How the chain watcher sends the many addresses of a block. */
const LOWER_CASE = /^0x[0-9a-f]{40}$/;

const address = z.string().refine((text) => LOWER_CASE.test(text) || isAddress(text), 'must be an EVM address');

/** An EVM address that can own a Safe; mixed case must carry the right checksum (EIP-55). */
export const ownerAddress = address.refine((text) => text !== zeroAddress && text !== SENTINEL, 'cannot own a Safe');

/** An EVM address in its EIP-55 spelling. */
export const addressSchema = address.transform((text) => (LOWER_CASE.test(text) ? checksumAddress(text as Hex) : getAddress(text)));

/** The same, empty when it is not given. */
export const optionalAddress = z.union([z.literal(''), addressSchema]);

const pick = ({ actor, reason, externalReference, approvedBy, labels }: WireMetadata): Metadata => ({
  actor,
  reason,
  externalReference,
  approvedBy,
  labels,
});

/** Metadata as it came over the wire; without any, NO_METADATA. */
export const toMetadata = (wire: WireMetadata | undefined): Metadata => (wire === undefined ? NO_METADATA : pick(wire));

/** `florin.ledger.v1.Metadata`, within its limits and without what only the ledger sets. */
export const metadataSchema = z
  .custom<WireMetadata>()
  .optional()
  .transform(toMetadata)
  .superRefine((metadata, context) => {
    const message = metadata.approvedBy === '' ? metadataProblem(metadata) : 'approvedBy: is set by the ledger';
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** The same, with actor and reason. */
export const operatorMetadataSchema = metadataSchema.superRefine(({ actor, reason }, context) => {
  if (!actorSchema.safeParse(actor).success) context.addIssue({ code: 'custom', path: ['actor'], message: 'is required' });
  if (reason.trim() === '') context.addIssue({ code: 'custom', path: ['reason'], message: 'is required' });
});

/** A point in time that JavaScript can represent (ECMA-262, section 21.4.1.1). */
export const timeSchema = z
  .custom<Timestamp>((value) => value !== undefined, 'is required')
  .transform((timestamp, context) => {
    const date = timestampDate(timestamp);
    if (!Number.isNaN(date.getTime())) return date;
    context.addIssue({ code: 'custom', message: 'must be a time' });
    return z.NEVER;
  });

/** Either one of a user account and a shard, or neither: which entry of which journal. */
export const entryOwnerShape = { accountId: unlessEmpty(uuidSchema), shard: z.string().max(8) };

/** Shard of a request about a user account (named by it), or about the system. @throws CodedError VALIDATION_FAILED */
export const shardOfRequest = (
  { accountId, shard }: { accountId?: string | undefined; shard: string },
  shards: { shardOf: (accountId: string) => string; names: () => readonly string[] },
): string => {
  if (accountId !== undefined) {
    if (shard !== '') throw new CodedError('VALIDATION_FAILED', { message: 'shard: must be empty when accountId is set' });
    return shards.shardOf(accountId);
  }
  const named = shard === '' ? '0' : shard;
  if (!shards.names().includes(named)) throw new CodedError('VALIDATION_FAILED', { message: 'shard: is not a shard of this journal' });
  return named;
};

/** Kinds to filter by; empty is all. */
export const kindsSchema = z
  .array(z.enum(EntryKind))
  .max(32)
  .refine((kinds) => !kinds.includes(EntryKind.UNSPECIFIED), 'must be kinds of entries')
  .transform((kinds): readonly EntryKind[] => kinds);
