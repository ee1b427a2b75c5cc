import { checksumAddress } from '@florin/evm/addresses';
import type { Hex } from '@florin/evm/hex';
import type { Metadata as WireMetadata } from '@florin/proto/ledger/v1/metadata';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { getAddress, isAddress, zeroAddress } from 'viem';
import { type Metadata, metadataProblem, NO_METADATA } from '../domain/metadata.ts';

/** Address that marks the ends of Safe's list of owners; Safe rejects it as an owner. */
const SENTINEL = `0x${'1'.padStart(40, '0')}`;

/** How the chain watcher sends the many addresses of a block. */
const LOWER_CASE = /^0x[0-9a-f]{40}$/;

/** The problem of an EVM address; mixed case must carry the right checksum (EIP-55). */
const addressProblem = (text: string): string | undefined =>
  LOWER_CASE.test(text) || isAddress(text) ? undefined : 'must be an EVM address';

/** The problem of an EVM address that is to own a Safe. */
export const ownerProblem = (text: string): string | undefined =>
  addressProblem(text) ?? (text === zeroAddress || text === SENTINEL ? 'cannot own a Safe' : undefined);

/** An EVM address of a request in its EIP-55 spelling. @throws CodedError VALIDATION_FAILED */
export const readAddress = (field: string, text: string): string => {
  requireFields({ [field]: addressProblem(text) });
  return LOWER_CASE.test(text) ? checksumAddress(text as Hex) : getAddress(text);
};

const pick = ({ actor, reason, externalReference, approvedBy, labels }: WireMetadata): Metadata => ({
  actor,
  reason,
  externalReference,
  approvedBy,
  labels,
});

/** Metadata as it came over the wire; without any, NO_METADATA. */
export const toMetadata = (wire: WireMetadata | undefined): Metadata => (wire === undefined ? NO_METADATA : pick(wire));

/** Metadata within its limits and without what only the ledger sets. @throws CodedError VALIDATION_FAILED */
export const readMetadata = (wire: WireMetadata | undefined): Metadata => {
  const metadata = toMetadata(wire);
  const problem = metadata.approvedBy === '' ? metadataProblem(metadata) : 'approvedBy: is set by the ledger';
  if (problem !== undefined) throw new CodedError('VALIDATION_FAILED', { message: `metadata.${problem}` });
  return metadata;
};

/** The same, with actor and reason. @throws CodedError VALIDATION_FAILED */
export const readOperatorMetadata = (wire: WireMetadata | undefined): Metadata => {
  const metadata = readMetadata(wire);
  const { actor, reason } = metadata;
  requireFields({
    'metadata.actor': actor === '' || actor.trim() !== actor ? 'is required' : undefined,
    'metadata.reason': reason.trim() === '' ? 'is required' : undefined,
  });
  return metadata;
};

/** The problem of a request that names none or both of a user account and a system account. */
export const ONE_ACCOUNT = 'exactly one of account_id and system_account is required';

/** Shard of a request about a user account (named by it), or about the system. @throws CodedError VALIDATION_FAILED */
export const shardOfRequest = (
  { accountId = '', shard }: { accountId?: string; shard: string },
  shards: { shardOf: (accountId: string) => string; names: () => readonly string[] },
): string => {
  if (accountId !== '') {
    if (shard !== '') throw new CodedError('VALIDATION_FAILED', { message: 'shard: must be empty when accountId is set' });
    return shards.shardOf(accountId);
  }
  const named = shard === '' ? '0' : shard;
  if (!shards.names().includes(named)) throw new CodedError('VALIDATION_FAILED', { message: 'shard: is not a shard of this journal' });
  return named;
};
