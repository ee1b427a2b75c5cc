import { type ModuleCall, requestHash, type SafeControl, type SafeTransaction } from '@florin/evm/safe';
import type { Address, Hex } from 'viem';

/**
 * - `naming`: the owner names a backup key.
 * - `request`: backup key and platform request the exchange of the owner.
 * - `cancellation`: the owner and the platform stop that.
 */
export type RecoveryKind = 'naming' | 'request' | 'cancellation';

/**
 * offered → submitted → signed → completed, cancelled or failed; submitted → failed.
 * - `submitted`: the user's signature is stored.
 * - `signed`: the platform may have signed, and nothing else with the nonce while it has not failed. Once it is sent, only the chain decides how it ends;
 *   before, a naming or a request fails by the state of the account.
 * - `completed`: the Safe was found, in a final block, as the transaction leads to. Of a request: the owner is exchanged.
 * - `cancelled`: only of a request that was stopped, or has expired.
 */
export type RecoveryStatus = 'offered' | 'submitted' | 'signed' | 'completed' | 'cancelled' | 'failed';

/** The exchange that a request asks for, and its number in the queue of the recovery's module. */
export type RequestedExchange = { call: ModuleCall; queueNonce: number };

/** A transaction that a user's key and the platform sign together, so that a lost owner can be exchanged. */
export type RecoveryTransaction = {
  /** UUID. */
  id: string;
  kind: RecoveryKind;
  accountId: string;
  userId: string;
  /** The wallet of the session that asked for it (EIP-55). */
  wallet: Address;
  /** Frozen when it was offered. Of a request, a transaction of the Safe of backup key and platform. */
  transaction: SafeTransaction;
  /** The key that signs it besides the platform (EIP-55): the owner, or the backup key. */
  signer: Address;
  /** The key that the transaction gives rights to, which proves that it can sign: the backup key, or the new owner; absent of a cancellation, and in earlier rows. */
  provenKey?: Address;
  status: RecoveryStatus;
  /** The control of the account's Safe that it leads to; absent of a cancellation. */
  control?: SafeControl;
  /** Only of a request. */
  exchange?: RequestedExchange;
  /** When the exchange can be executed; only of a request that is in the module's queue. */
  executableAt?: Date;
  /** Until when the signature is accepted. */
  expiresAt: Date;
  signature?: Hex;
  /** The signature of `provenKey` over the same transaction. */
  proof?: Hex;
  /** Set before the platform's signature leaves the process; absent in rows of before, whose jobs show it. */
  sent?: true;
  createdAt: Date;
  /** When it was seen to have ended; absent before, and in rows that ended in earlier releases. */
  endedAt?: Date;
};

/** The number in the queue of the recovery's module up to which a cancellation drops what waits. */
export const droppedUpTo = ({ transaction: { data } }: RecoveryTransaction): number => Number(BigInt(`0x${data.slice(-64)}`));

/** Digests of the requests that may wait in the queue of a Safe's recovery module. */
export const expectedRequests = (transactions: readonly RecoveryTransaction[]): Hex[] =>
  transactions.flatMap(({ status, exchange }) => (status === 'signed' && exchange !== undefined ? [requestHash(exchange.call)] : []));
