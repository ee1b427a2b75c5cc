import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import type { Session } from '@florin/proto/identity/v1/session';
import { KycStatus, type User } from '@florin/proto/identity/v1/user';
import { type Account, AccountStatus, TokenBlockReason } from '@florin/proto/ledger/v1/account';
import type { CurrencyBalance } from '@florin/proto/ledger/v1/balance_service';
import type { z } from 'zod';
import type { Person, sessions } from '../contract/index.ts';
import { isoOf, isoUnlessAbsent, wordOf } from './words.ts';

const toBalance = ({ currency, decimals, ...balance }: CurrencyBalance) => ({
  currency,
  decimals,
  spendable: balance.spendable,
  held: balance.nonSpendable,
  processingDeposits: balance.processingDeposits,
  processingWithdrawals: balance.processingWithdrawals,
  debt: balance.debt,
});

export const toAccount = (account: Account, balances: readonly CurrencyBalance[]): NonNullable<Person['account']> => ({
  id: account.id,
  status: wordOf(AccountStatus, account.status),
  chainName: account.chainName,
  safeAddress: account.safeAddress,
  safeOwnerAddress: account.safeOwnerAddress,
  reference: account.reference,
  createdAt: isoOf(account.createdAt),
  balances: balances.map(toBalance),
  safeHistoryDiffers: account.safeHistoryDiffers,
  tokenBlocks: account.tokenBlocks.map(({ token, reason, since }) => ({
    token,
    reason: wordOf(TokenBlockReason, reason),
    since: isoOf(since),
  })),
});

export const toFormerAccount = (
  { id, status, safeAddress }: Account,
  balances: readonly CurrencyBalance[],
): Person['formerAccounts'][number] => ({
  id,
  status: wordOf(AccountStatus, status),
  safeAddress,
  balances: balances.map(({ currency, decimals, spendable, nonSpendable, debt }) => {
    return { currency, decimals, left: String(BigInt(spendable) + BigInt(nonSpendable)), debt };
  }),
});

export const toPerson = (
  user: User,
  onboarding: OnboardingStatus,
  accounts: Pick<Person, 'account' | 'formerAccounts' | 'replacementOrders'>,
): Person => ({
  user: {
    id: user.id,
    partnerId: user.partnerId,
    email: user.email,
    registeredAt: isoOf(user.createdAt),
    wallets: user.wallets.map(({ address, primary, approvesFrom }) => ({
      address,
      isPrimary: primary,
      ...isoUnlessAbsent('approvesFrom', approvesFrom),
    })),
  },
  kyc: { status: wordOf(KycStatus, user.kycStatus), profileId: user.kycProfileId },
  onboarding: { status: wordOf(OnboardingStatus, onboarding) },
  ...accounts,
});

export const toSession = ({
  id,
  wallet,
  createdAt,
  lastUsedAt,
  userAgent,
  ip,
}: Session): z.output<typeof sessions>['sessions'][number] => ({
  id,
  wallet,
  createdAt: isoOf(createdAt),
  lastUsedAt: isoOf(lastUsedAt),
  userAgent,
  ip,
});
