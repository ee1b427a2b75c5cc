import type { ClaimStore } from '../store/claims.ts';
import type { UserStore } from '../store/users.ts';

/** What wallets are added and removed with. Everything behind these may fail, hang or be killed at any call. */
export type WalletParts = {
  users: Pick<UserStore, 'find' | 'addWallet' | 'removeWallet' | 'noteLeaving' | 'leavingWallets' | 'forgetLeaving' | 'withLeavingWallets'>;
  walletClaims: Pick<ClaimStore, 'claim' | 'releaseIf'>;
};
