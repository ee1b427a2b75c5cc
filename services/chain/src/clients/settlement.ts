import { ImportOutcome, SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import type { RpcChannel } from '@florin/rpc/client';
import type { Amount } from '@florin/rpc/money';

/** Movement between Safes and the treasury. */
export type CollectionRecord = {
  id: string;
  /** As 2026-01-31. */
  date: string;
  currency: string;
  /** In the currency's minor unit: above zero when it came from a Safe. */
  amount: Amount;
};

/** The books of settlement. */
export type SettlementClient = {
  /**
   * Reports movements, each once.
   * @returns the ids under which other content is booked
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
   */
  importCollections: (records: readonly CollectionRecord[]) => Promise<string[]>;
};

const TIMEOUT_MS = 15_000;

/** Records of one call. */
const CALL = 500;

/** @param source name of this service as a client */
export const createSettlementClient = (channel: RpcChannel, source: string): SettlementClient => {
  const client = channel.client(SettlementService);
  return {
    importCollections: async (records) => {
      const conflicting: string[] = [];
      for (let at = 0; at < records.length; at += CALL) {
        const part = records.slice(at, at + CALL);
        const wire = part.map(({ amount, ...record }) => ({
          ...{ ...record, source, kind: { case: 'collection', value: { amount: amount.toString() } } as const },
        }));
        const { records: outcomes } = await client.importRecords({ records: wire }, { timeoutMs: TIMEOUT_MS });
        conflicting.push(...part.flatMap(({ id }, index) => (outcomes[index]?.outcome === ImportOutcome.CONFLICTING ? [id] : [])));
      }
      return conflicting;
    },
  };
};
