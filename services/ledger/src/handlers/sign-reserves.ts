import type {
  CreateSnapshotRequest,
  GetCurrentLiabilityRequest,
  ListLiabilitiesRequest,
  SignReservesRequest,
} from '@florin/proto/ledger/v1/journal_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod, userMethod } from '@florin/rpc/server';
import { findLiabilities, owedLines, proveOwed, signReserves as signText } from '../heads/reserves.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireHead } from './list-heads.ts';

/** Begins snapshots as of the last blocks. */
export const createSnapshot = ({ shards, blocks, headSigner, makeSnapshot }: Dependencies) =>
  serviceMethod(async (_request: CreateSnapshotRequest) => {
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const last = await Promise.all(shards.names().map(async (shard) => ({ shard, n: await blocks.last(shard) })));
    // A proof must name every shard. One without blocks has not been opened yet.
    if (last.some(({ n }) => n === 0)) throw new CodedError('SNAPSHOT_IN_PROGRESS');
    if (!makeSnapshot(last)) throw new CodedError('SNAPSHOT_IN_PROGRESS');
    return { blocks: last.map(({ shard, n }) => ({ shard, block: BigInt(n) })) };
  });

/** A page of what is owed to the accounts of a shard. */
export const listLiabilities = ({ snapshots, headSigner }: Dependencies) =>
  serviceMethod(async ({ block, cursor }: ListLiabilitiesRequest) => {
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const { shard = '', block: n = 0n } = block ?? {};
    const page = await owedLines(snapshots, { shard, n: Number(n) }, cursor);
    if (page === undefined) throw new CodedError('SNAPSHOT_NOT_FOUND');
    return page;
  });

/** Returns the amounts owed to one of the caller's accounts as of the newest proof of reserves. */
export const getCurrentLiability = ({ accounts, shards, heads, snapshots, headKeys: trusted }: Dependencies) =>
  userMethod(async ({ accountId }: GetCurrentLiabilityRequest, { caller: { userId } }) => {
    const account = requireAccount(await (accountId === '' ? accounts.findByUser(userId) : accounts.find(accountId)));
    if (account.userId !== userId) throw new CodedError('ACCOUNT_NOT_FOUND');
    const { id, chainId } = account;
    const found = await proveOwed({ snapshots, heads, trusted }, { shard: shards.shardOf(id), accountId: id, chainId });
    if (found === undefined) return {};
    const { owed, path, head, publicKey } = found;
    return { head: toWireHead(head), x: publicKey.x, owed: (owed?.[1] ?? []).map(([token, amount]) => ({ token, amount })), ...path };
  });

/** Signs the end of a proof of reserves. */
export const signReserves = ({ heads, snapshots, headKeys: trusted, headSigner }: Dependencies) =>
  serviceMethod(async (request: SignReservesRequest) => {
    const { holdingsHash, blocks, chainId } = request;
    const isRepeated = new Set(blocks.map(({ shard }) => shard)).size < blocks.length;
    requireFields({ blocks: isRepeated ? 'must name a shard once' : undefined });
    if (headSigner === undefined) throw new CodedError('RESERVES_NOT_AVAILABLE');
    const found = await Promise.all(
      blocks.map(({ shard, block }) => findLiabilities({ snapshots, heads, trusted }, { shard, n: Number(block) })),
    );
    const liabilities = found.filter((one) => one !== undefined);
    if (liabilities.length !== blocks.length) throw new CodedError('SNAPSHOT_NOT_FOUND');
    for (const { shard, block } of blocks) {
      if (!(await snapshots.markReserves(shard, Number(block), chainId))) throw new CodedError('SNAPSHOT_NOT_FOUND');
    }
    return { text: signText(headSigner, holdingsHash, liabilities) };
  });
