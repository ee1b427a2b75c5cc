import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import type { RegistrationSubject } from '../domain/registration.ts';
import type { KycProvider } from '../ports/kyc-provider.ts';
import type { ClaimStore } from '../store/claims.ts';
import type { RegistrationStore } from '../store/registrations.ts';
import type { UserStore } from '../store/users.ts';

/** Dependencies of the saga. Every call to them may fail, hang or be killed. */
export type RegistrationParts = {
  registrations: RegistrationStore;
  users: UserStore;
  emailClaims: ClaimStore;
  walletClaims: ClaimStore;
  kyc: KycProvider;
  ledger: LedgerAccountsClient;
  runtime: Runtime;
  /** True if an account is active after registration. */
  activates: boolean;
};

export type RegistrationInput = RegistrationSubject & {
  /** EIP-55. */
  wallet: string;
  shareToken?: string | undefined;
  requestId: string;
};
