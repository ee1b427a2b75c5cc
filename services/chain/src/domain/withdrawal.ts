import type { Hex } from '@florin/evm/hex';
import type { SafeTransaction } from '@florin/evm/safe';
import type { ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import { type Address, encodeFunctionData, erc20Abi } from 'viem';

/**
 * offered → submitted → reserved → signed → completed or failed; submitted, reserved, and signed ones that were not sent → refused → failed.
 * - `offered`: the user has got the transaction to sign; nothing is set aside.
 * - `submitted`: the user's signature is stored.
 * - `reserved`: the ledger has set the money aside.
 * - `refused`: it will not be carried out; the ledger is to give the money back.
 * - `signed`: the platform may have signed. From then on the transaction can be executed by anyone who has both signatures, so only the chain
 *   decides how it ends: when the Safe's nonce is used up, the money has moved, or never will by this transaction.
 */
export type WithdrawalStatus = 'offered' | 'submitted' | 'reserved' | 'refused' | 'signed' | 'completed' | 'failed';

/** Limits of an account's withdrawals. Amounts are in the token's smallest unit, by symbol. */
export type WithdrawalRules = {
  /** Most of a token within 24 hours. */
  limits: ReadonlyMap<string, Amount>;
  /** Least of one withdrawal. */
  minimums: ReadonlyMap<string, Amount>;
  /** Least amount of a rejected deposit that stops the withdrawals of its account. */
  freezeFrom: ReadonlyMap<string, Amount>;
  /** Withdrawals that are sent within 24 hours. */
  perDay: number;
  /** Time between the first request for a withdrawal to an address, and the first withdrawal to it. */
  coolingMs: number;
};

/** Where on the chain the transfer is. */
export type TransferPlace = { txHash: Hex; logIndex: number };

/** A withdrawal that the user signs. */
export type SafeWithdrawal = {
  /** UUID; also the ledger's withdrawal. */
  id: string;
  accountId: string;
  userId: string;
  /** Symbol. */
  token: string;
  amount: Amount;
  recipient: Address;
  /** Frozen when it was offered. */
  transaction: SafeTransaction;
  owner: Address;
  status: WithdrawalStatus;
  /** Until when the signature is accepted. */
  expiresAt: Date;
  signature?: Hex;
  /** Error code; only of one that failed before it was sent. */
  refusal?: ErrorCode;
  place?: TransferPlace;
  /** Set before the platform's signature leaves the process; absent in rows of earlier releases, whose jobs show it. */
  sent?: true;
  /** The exception about the rejected deposit that it returns to its sender. That money is no user's: the ledger sets nothing aside for it. */
  returns?: string;
  /** The account to whose Safe it moves what a former account of its user still has. Nobody chooses that recipient. */
  successorAccountId?: string;
  /** The account whose block stops it, of a return: a former account is blocked for good. */
  stoppedBy?: string;
  createdAt: Date;
};

/** Gas of the transfer. Above zero, so that a transfer that fails uses up the Safe's nonce and cannot be executed later. */
const TRANSFER_GAS = 200_000n;

/** Gas of the whole transaction: the transfer, the check of two signatures, and the 64th part that a call leaves (EIP-150). */
export const WITHDRAWAL_GAS = 400_000n;

/** The transaction by which a Safe moves the money of a withdrawal. @param token address of the token */
export const withdrawalTransaction = ({
  token: to,
  recipient,
  amount,
  ...place
}: Pick<SafeTransaction, 'chainId' | 'safe' | 'nonce'> & { token: Address; recipient: Address; amount: Amount }): SafeTransaction => ({
  ...place,
  to,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] }),
  operation: 0,
  safeTxGas: TRANSFER_GAS,
});
