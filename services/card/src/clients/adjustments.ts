import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import type { RpcChannel } from '@florin/rpc/client';
import type { Adjustment } from '../domain/exception.ts';

const TIMEOUT_MS = 2000;

/** The ledger's adjustments. */
export type AdjustmentsClient = {
  /** @throws CodedError ADJUSTMENT_NOT_FOUND, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  find: (adjustmentId: string) => Promise<Adjustment>;
};

export const createAdjustmentsClient = (channel: RpcChannel): AdjustmentsClient => {
  const client = channel.client(AdjustmentService);
  return {
    find: async (adjustmentId) => {
      const { adjustment } = await client.getAdjustment({ adjustmentId }, { timeoutMs: TIMEOUT_MS });
      const transfers = adjustment?.change.case === 'transfers' ? adjustment.change.value.transfers : [];
      return {
        isBooked: adjustment?.status === AdjustmentStatus.BOOKED,
        externalReference: adjustment?.metadata?.externalReference ?? '',
        transfers: transfers.map(({ amount, ...sides }) => ({ ...sides, amount: BigInt(amount) })),
      };
    },
  };
};
