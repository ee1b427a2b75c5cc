import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccounts } from '../clients/ledger-accounts.ts';
import type { RegistrationSubject } from '../domain/registration.ts';
import type { KycProvider } from '../ports/kyc-provider.ts';
import type { ClaimStore } from '../store/claims.ts';
import type { RegistrationStore } from '../store/registrations.ts';
import type { UserStore } from '../store/users.ts';

/** What the saga works with. Everything behind these may fail, hang or be killed at any call. */
export type RegistrationParts = {
  registrations: RegistrationStore;
  users: UserStore;
  emailClaims: ClaimStore;
  walletClaims: ClaimStore;
  kyc: KycProvider;
  ledger: LedgerAccounts;
  runtime: Runtime;
  /** Whether an account is usable at once. */
  activates: boolean;
};

export type RegistrationInput = RegistrationSubject & {
  /** EIP-55. */
  wallet: string;
  shareToken?: string | undefined;
  requestId: string;
};
