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
   * Signs a list of holdings together with what was owed after some blocks.
   * @param holdingsHash SHA-256 of the list, 64 hex digits
   * @returns the lines that end the file; undefined until the snapshot is made
   * @throws CodedError RESERVES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  sign: (holdingsHash: string, blocks: readonly ShardBlock[]) => Promise<string | undefined>;
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
    sign: async (holdingsHash, blocks) => {
      const signed = client.signReserves({ holdingsHash, blocks: [...blocks] }, options);
      return (await undefinedOn('SNAPSHOT_NOT_FOUND', signed))?.text;
    },
  };
};
