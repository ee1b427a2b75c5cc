import type { CreateSnapshotRequest, SignReservesRequest } from '@florin/proto/ledger/v1/journal_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { findLiabilities, signReserves as signText } from '../heads/reserves.ts';
import type { Dependencies } from './dependencies.ts';

/** Begins snapshots as of the last blocks. */
export const createSnapshot = ({ shards, blocks, headSigner, makeSnapshot }: Dependencies) =>
  serviceMethod(async (_request: CreateSnapshotRequest) => {
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const last = await Promise.all(shards.names().map(async (shard) => ({ shard, n: await blocks.last(shard) })));
    const filled = last.filter(({ n }) => n > 0);
    if (!makeSnapshot(filled)) throw new CodedError('SNAPSHOT_IN_PROGRESS');
    return { blocks: filled.map(({ shard, n }) => ({ shard, block: BigInt(n) })) };
  });

/** Signs the end of a proof of reserves. */
export const signReserves = ({ heads, snapshots, headKeys: trusted, headSigner }: Dependencies) =>
  serviceMethod(async (request: SignReservesRequest) => {
    const { holdingsHash, blocks } = request;
    const isRepeated = new Set(blocks.map(({ shard }) => shard)).size < blocks.length;
    requireFields({ blocks: isRepeated ? 'must name a shard once' : undefined });
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const found = await Promise.all(
      blocks.map(({ shard, block }) => findLiabilities({ snapshots, heads, trusted }, { shard, n: Number(block) })),
    );
    const liabilities = found.filter((one) => one !== undefined);
    if (liabilities.length !== blocks.length) throw new CodedError('SNAPSHOT_NOT_FOUND');
    return { text: signText(headSigner, holdingsHash, liabilities) };
  });
