import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import { isShownIn } from '../domain/exception.ts';
import { type SafeTransfer, transferId } from '../domain/transfer.ts';
import type { ExceptionStore } from '../store/exceptions.ts';

export type LeavingParts = {
  /** Returns true if a relayer sent a transaction. */
  isOwn: (txHash: Hex) => Promise<boolean>;
  /** Returns true if the Collector made a transfer, of which the relayer need not be the only operator. */
  isMovement: (transfer: SafeTransfer) => Promise<boolean>;
  /** Returns true if the platform signed what a transfer out of a Safe carries out. */
  isSigned: (transfer: SafeTransfer) => Promise<boolean>;
  /** Stops the spending of an account because of something in a block. May be repeated. */
  suspect: (accountId: string, block: number) => Promise<void>;
  exceptions: Pick<ExceptionStore, 'find' | 'open'>;
  now: () => Date;
  logger: Logger;
};

/**
 * Stops an account from whose Safe tokens move that the platform did not sign for, before the block is final. The transfer is booked once it is, under the same
 * exception; one that a reorganization takes back closes it.
 */
export const raiseLeaving = async (parts: LeavingParts, transfer: SafeTransfer): Promise<void> => {
  const { isOwn, isMovement, isSigned, suspect, exceptions, now, logger } = parts;
  const { chainId, accountId, txHash, blockNumber, blockHash } = transfer;
  const id = transferId(transfer);
  const known = await exceptions.find(id);
  // A person may have undone the block of the account since.
  if (known !== undefined && isShownIn(known, blockHash)) return;
  if ((await isOwn(txHash)) || (await isMovement(transfer)) || (await isSigned(transfer))) return;
  await suspect(accountId, blockNumber);
  await exceptions.open({ id, kind: 'left', status: 'open', transfer, createdAt: now() });
  logger.error({ chainId, accountId, txHash }, 'tokens left a Safe without the platform: its account is blocked');
};
