import { type Entry, EntryKind } from '@florin/proto/ledger/v1/entry';
import {
  DepositStatus,
  type Deposit as WireDeposit,
  type Withdrawal as WireWithdrawal,
  WithdrawalStatus,
} from '@florin/proto/ledger/v1/movement';
import type { Assets } from '@florin/rpc/assets';
import { findToken } from '@florin/rpc/assets';
import { minorUnitDigits } from '@florin/rpc/money';
import type { z } from 'zod';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Deposit, entries, Money, TokenAmount, withdrawals } from '../contract/index.ts';
import { isoOf, unlessEmpty, wordOf } from './words.ts';

/** An amount in the minor unit of a currency, with what is needed to show it. */
export const currencyAmount = (amount: string, currency: string): Money => ({ amount, currency, decimals: minorUnitDigits(currency) ?? 0 });

/** An amount of a token, with what is needed to show it; a token that is not configured is shown in its smallest units. */
export const tokenAmount = (assets: Assets, token: string, amount: string): TokenAmount => {
  const { decimals = 0, currency = token } = findToken(assets, token) ?? {};
  return { token, amount, decimals, currency };
};

/** Ids of those who decided deposits. */
export const resolversOf = (deposits: readonly WireDeposit[]): string[] => deposits.map(({ resolvedBy }) => operatorIdOf(resolvedBy));

/** @param names of operators, by their ids */
export const toDeposit = (deposit: WireDeposit, names: ReadonlyMap<string, string>): Deposit => ({
  id: deposit.id,
  amount: { amount: deposit.amount, decimals: deposit.decimals, currency: deposit.currency },
  token: deposit.token,
  status: wordOf(DepositStatus, deposit.status),
  txHash: deposit.txHash,
  fromAddress: deposit.fromAddress,
  ...(deposit.kytBreakdown === undefined
    ? {}
    : {
        screening: {
          result: deposit.kytBreakdown.result,
          riskScore: deposit.kytBreakdown.riskScore,
          riskTier: deposit.kytBreakdown.riskTier,
        },
      }),
  ...unlessEmpty('resolvedBy', names.get(operatorIdOf(deposit.resolvedBy)) ?? deposit.resolvedBy),
  createdAt: isoOf(deposit.createdAt),
});

export const toWithdrawal = (withdrawal: WireWithdrawal): z.output<typeof withdrawals>['withdrawals'][number] => ({
  id: withdrawal.id,
  amount: { amount: withdrawal.amount, decimals: withdrawal.decimals, currency: withdrawal.currency },
  token: withdrawal.token,
  status: wordOf(WithdrawalStatus, withdrawal.status),
  txHash: withdrawal.txHash,
  toAddress: withdrawal.toAddress,
  createdAt: isoOf(withdrawal.createdAt),
});

export const toEntry =
  (assets: Assets) =>
  (entry: Entry): z.output<typeof entries>['entries'][number] => ({
    id: entry.id,
    kind: wordOf(EntryKind, entry.kind),
    transfers: entry.transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, ...tokenAmount(assets, token, amount) })),
    actor: entry.metadata?.actor ?? '',
    reason: entry.metadata?.reason ?? '',
    approvedBy: entry.metadata?.approvedBy ?? '',
    isForced: entry.forced,
    createdAt: isoOf(entry.createdAt),
  });
