import type { CreateSnapshotRequest, SignReservesRequest } from '@florin/proto/ledger/v1/journal_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { findLiabilities, signReserves as signText } from '../heads/reserves.ts';
import type { Dependencies } from './dependencies.ts';

const MAX_SHARDS = 1000;

const requestSchema = z.object({
  holdingsHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  blocks: z
    .array(
      z.object({
        shard: z.string().regex(/^[0-9]{1,6}$/),
        block: z
          .bigint()
          .positive()
          .max(2n ** 53n),
      }),
    )
    .max(MAX_SHARDS)
    .refine((blocks) => new Set(blocks.map(({ shard }) => shard)).size === blocks.length, 'must name a shard once'),
});

/**
 * Begins snapshots as of the last blocks.
 * @throws CodedError RESERVES_NOT_AVAILABLE, SNAPSHOT_IN_PROGRESS
 */
export const createSnapshot = ({ shards, blocks, headSigner, makeSnapshot }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.signReserves, async (_request: CreateSnapshotRequest) => {
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const last = await Promise.all(shards.names().map(async (shard) => ({ shard, n: await blocks.last(shard) })));
    const filled = last.filter(({ n }) => n > 0);
    if (!makeSnapshot(filled)) throw new CodedError('SNAPSHOT_IN_PROGRESS');
    return { blocks: filled.map(({ shard, n }) => ({ shard, block: BigInt(n) })) };
  });

/**
 * Signs the end of a proof of reserves.
 * @throws CodedError RESERVES_NOT_AVAILABLE, SNAPSHOT_NOT_FOUND, VALIDATION_FAILED
 */
export const signReserves = ({ heads, snapshots, headKeys: trusted, headSigner }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.signReserves, async (request: SignReservesRequest) => {
    const { holdingsHash, blocks } = parseRequest(requestSchema, request);
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const found = await Promise.all(
      blocks.map(({ shard, block }) => findLiabilities({ snapshots, heads, trusted }, { shard, n: Number(block) })),
    );
    const liabilities = found.filter((one) => one !== undefined);
    if (liabilities.length !== blocks.length) throw new CodedError('SNAPSHOT_NOT_FOUND');
    return { text: signText(headSigner, holdingsHash, liabilities) };
  });
