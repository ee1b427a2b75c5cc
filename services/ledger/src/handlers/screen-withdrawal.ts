import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import type { Movement } from '../domain/movement.ts';
import { currentMovement } from '../journal/current-movement.ts';
import type { KytScreener, Screening } from '../ports/kyt-screener.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

/** Rejected deposits that are returned: an account with more is looked at by a person anyway. */
const LIMIT = 100;

/** @throws CodedError SERVICE_UNAVAILABLE when the screener fails */
const screenRecipient = async (screener: KytScreener, { safeAddress, chainId }: Account, withdrawal: Movement): Promise<Screening> => {
  const { id: withdrawalId, accountId, token, amount, decimals, currency, to: recipientAddress = '' } = withdrawal;
  const money = { token, amount, decimals, currency };
  try {
    return await screener.screenRecipient({ withdrawalId, accountId, chainId, safeAddress, recipientAddress, ...money });
  } catch (cause) {
    throw new CodedError('SERVICE_UNAVAILABLE', { cause });
  }
};

/** Screens the recipient of a withdrawal, and returns the account's rejected deposits. */
export const screenWithdrawal = ({ accounts, assets, claims, movements, screener, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.screenWithdrawal,
    serviceMethod,
    async ({ withdrawalId }) => {
      const accountId = await claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId };
    },
    async ({ accountId, withdrawalId }, journal) => {
      const withdrawal = await currentMovement(movements, journal, 'withdrawals', withdrawalId);
      if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      const account = requireAccount(await accounts.find(accountId));
      const isScreened = screener !== undefined && withdrawal.to !== undefined;
      const recipient = isScreened ? await screenRecipient(screener, account, withdrawal) : undefined;
      const rejected = await movements.rejectedDeposits(accountId, LIMIT);
      const onChain = rejected.filter(({ token }) => findToken(assets, token)?.chainId === account.chainId);
      return { ...(recipient === undefined ? {} : { recipient }), rejectedDeposits: onChain.map(toWireDeposit) };
    },
  );
