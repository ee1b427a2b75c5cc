import { JournalService } from '@florin/proto/ledger/v1/journal_service';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';

const TIMEOUT_MS = 10_000;

/** The last block of a shard of the ledger, when it was asked for. */
export type ShardBlock = { shard: string; block: bigint };

/** The ledger's liabilities. */
export type ReservesClient = {
  /**
   * Begins a snapshot of what the ledger owes now.
   * @throws CodedError RESERVES_NOT_AVAILABLE, SNAPSHOT_IN_PROGRESS, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  snapshot: () => Promise<ShardBlock[]>;
  /**
   * Signs the lines of a file, and the heads of the ledger after some blocks.
   * @param linesHash SHA-256 of the lines, 64 hex digits
   * @returns the lines that end the file; undefined until the snapshot is made
   * @throws CodedError RESERVES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  sign: (chainId: number, linesHash: string, blocks: readonly ShardBlock[]) => Promise<string | undefined>;
  /**
   * A page of the lines that say what is owed to the accounts of a shard.
   * @param cursor empty for the first page
   * @returns an empty cursor with the last page; undefined until the snapshot is made
   * @throws CodedError RESERVES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  owed: (block: ShardBlock, cursor: string) => Promise<{ text: string; nextCursor: string } | undefined>;
};

export const createReservesClient = (channel: RpcChannel): ReservesClient => {
  const client = channel.client(JournalService);
  const options = { timeoutMs: TIMEOUT_MS };
  return {
    snapshot: async () => {
      const begun = client.createSnapshot({}, options);
      const { blocks } = await begun;
      return blocks.map(({ shard, block }) => ({ shard, block }));
    },
    owed: async (block, cursor) => {
      const page = await undefinedOn('SNAPSHOT_NOT_FOUND', client.listLiabilities({ block, cursor }, options));
      return page && { text: page.text, nextCursor: page.nextCursor };
    },
    sign: async (chainId, linesHash, blocks) => {
      const signed = client.signReserves({ chainId, holdingsHash: linesHash, blocks: [...blocks] }, options);
      return (await undefinedOn('SNAPSHOT_NOT_FOUND', signed))?.text;
    },
  };
};
