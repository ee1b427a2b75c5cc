import type { ClaimStore } from '../store/claims.ts';
import type { UserStore } from '../store/users.ts';

/** Stores for adding and removing wallets. Every call to them may fail, hang or be killed. */
export type WalletParts = {
  users: Pick<UserStore, 'find' | 'addWallet' | 'removeWallet' | 'noteLeaving' | 'leavingWallets' | 'forgetLeaving' | 'withLeavingWallets'>;
  walletClaims: Pick<ClaimStore, 'claim' | 'releaseIf'>;
};
