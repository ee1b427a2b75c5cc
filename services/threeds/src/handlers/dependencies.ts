import type { Reservations } from '@florin/data/idempotency';
import type { ContractSigners } from '@florin/evm/contract-signers';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccountsClient } from '../clients/accounts.ts';
import type { CardsClient } from '../clients/cards.ts';
import type { WalletsClient } from '../clients/wallets.ts';
import type { DecisionLock } from '../decisions/decision-lock.ts';
import type { AccessControlServer } from '../ports/access-control-server.ts';
import type { ChallengeStore } from '../store/challenges.ts';
import type { ConsumptionStore } from '../store/consumptions.ts';
import type { ChallengeHub } from '../watching/hub.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  runtime: Runtime;
  challenges: ChallengeStore;
  consumptions: ConsumptionStore;
  reservations: Reservations;
  cards: CardsClient;
  accounts: AccountsClient;
  wallets: WalletsClient;
  contracts: ContractSigners;
  acs: AccessControlServer;
  lock: DecisionLock;
  hub: ChallengeHub;
  /** True if this is a sandbox. */
  sandbox: boolean;
};
