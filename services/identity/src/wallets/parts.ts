import type { ClaimStore } from '../store/claims.ts';
import type { UserStore } from '../store/users.ts';

/** Stores for changing the wallets of users. Every call to them may fail, hang or be killed. */
export type WalletParts = {
  users: Pick<
    UserStore,
    | 'find'
    | 'addWallet'
    | 'removeWallet'
    | 'makePrimary'
    | 'replaceWallet'
    | 'addNotice'
    | 'noteLeaving'
    | 'leavingWallets'
    | 'forgetLeaving'
    | 'withLeavingWallets'
  >;
  walletClaims: Pick<ClaimStore, 'claim' | 'claimOf' | 'releaseIf'>;
};
