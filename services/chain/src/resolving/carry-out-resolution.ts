import type { Runtime } from '@florin/rpc/runtime';
import type { MovementsClient } from '../clients/movements.ts';
import { vanishedId } from '../domain/exception.ts';
import { type SafeTransfer, transferId } from '../domain/transfer.ts';
import type { Cursor, CursorStore } from '../store/cursors.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { TransferStore } from '../store/transfers.ts';
import type { Resolution } from './plan-resolution.ts';

export type ResolveParts = {
  movements: Pick<MovementsClient, 'reverse'>;
  transfers: Pick<TransferStore, 'remove' | 'removeFrom'>;
  exceptions: Pick<ExceptionStore, 'find' | 'open'>;
  /** Returns true if the other side of a transfer is the treasury: it is no deposit. */
  isTreasurys: (transfer: Pick<SafeTransfer, 'accountId' | 'counterparty'>) => Promise<boolean>;
  cursors: Pick<CursorStore, 'resume'>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

/** The actor who orders a resolution, and why. */
export type Order = { actor: string; reason: string };

/**
 * Carries a resolution out: takes back the deposits that vanished, leaves to a person what left the Safe or came from the treasury on the abandoned branch only, and puts the cursor
 * before the replaced blocks, so that they are booked as they are now. Every step can be repeated: interrupted anywhere, the same order goes on.
 * @returns false if the chain is not halted at this cursor any more
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const carryOutResolution = async (parts: ResolveParts, halted: Cursor, resolution: Resolution, order: Order): Promise<boolean> => {
  const { movements, transfers, exceptions, isTreasurys, cursors, runtime } = parts;
  const { chainId } = halted;
  const { resumeAt, vanished } = resolution;

  const undo = async (transfer: SafeTransfer): Promise<void> => {
    const known = await exceptions.find(transferId(transfer));
    const isBooked = known?.kind !== 'refused' || known.booked === true;
    if (transfer.direction === 'in' && !(await isTreasurys(transfer))) {
      if (isBooked) await movements.reverse(transfer, order);
    } else if (isBooked) {
      await exceptions.open({ id: vanishedId(transfer), kind: 'vanished', status: 'open', transfer, createdAt: runtime.now() });
    }
    await transfers.remove(transfer);
  };

  for (const transfer of vanished) await undo(transfer);
  // The remaining transfers are recorded again from their new blocks.
  await transfers.removeFrom(chainId, resumeAt.number + 1);
  const payload = { chainId, blockNumber: resumeAt.number, bookedTo: halted.number, vanished: vanished.length, ...order };
  const event = { id: runtime.newId(), at: runtime.now(), type: 'watch.resumed', payload } as const;
  return cursors.resume(halted, resumeAt, event);
};
