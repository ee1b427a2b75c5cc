import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import type { LedgerAccountsClient } from '../clients/ledger-accounts.ts';
import type { IdentityConfig } from '../config.ts';
import type { Mailer } from '../ports/mailer.ts';
import { startRecoveries } from '../recoveries/recoveries.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { WalletSignatures } from '../siwe/wallet-signatures.ts';
import type { Stores } from '../store/open-stores.ts';
import { createAddWallet } from './add-wallet.ts';
import { createWalletApprovals } from './approvals.ts';
import { createMakePrimary } from './make-primary.ts';
import { startNotices } from './notices.ts';
import type { WalletParts } from './parts.ts';
import { startWalletRemoval } from './remove-wallet.ts';

/** A day: long enough to notice the mail. */
const DEFAULT_COOLING_SECONDS = 86_400;

type Options = {
  config: Pick<IdentityConfig, 'WALLET_COOLING_SECONDS' | 'SANDBOX' | 'CHAIN_ID'>;
  stores: Stores;
  /** The stores that change wallets. */
  parts: WalletParts;
  ledger: Pick<LedgerAccountsClient, 'revokeSafeOwner' | 'ownerOf'>;
  sessions: Pick<Sessions, 'endAllOf'>;
  isSignedByWallet: WalletSignatures;
  mailer: Mailer;
  partnerNameOf: (partnerId: string) => string;
  runtime: Runtime;
  logger: Logger;
  defer: (release: () => unknown) => void;
};

/** Wires everything that changes the wallets of users, and starts its background work. */
export const openWallets = (options: Options) => {
  const { config, stores, parts, ledger, sessions, isSignedByWallet, mailer, partnerNameOf, runtime, logger, defer } = options;
  const coolingMs = (config.WALLET_COOLING_SECONDS ?? (config.SANDBOX ? 0 : DEFAULT_COOLING_SECONDS)) * 1000;
  const removal = startWalletRemoval({ ...parts, ledger, sessions, runtime, logger });
  defer(removal.close);
  const notices = startNotices({ notices: stores.notices, users: stores.users, mailer, partnerNameOf, runtime, logger });
  defer(notices.close);
  const recoveries = startRecoveries({ ...parts, recoveries: stores.walletRecoveries, ledger, removal, runtime, coolingMs, logger });
  defer(recoveries.close);
  return {
    approvals: createWalletApprovals({ store: stores.walletApprovals, runtime, chainId: config.CHAIN_ID, isSignedByWallet, partnerNameOf }),
    addWalletTo: createAddWallet({ ...parts, removal, runtime, coolingMs }),
    makePrimary: createMakePrimary({ users: parts.users, runtime }),
    removeWalletFrom: removal.remove,
    notices,
    recoveries,
  };
};
