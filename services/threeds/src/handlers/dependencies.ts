import type { Reservations } from '@florin/data/idempotency';
import type { Runtime } from '@florin/rpc/runtime';
import type { AccessControlServer } from '../adapters/access-control-server.ts';
import type { ContractSigners } from '../adapters/contract-signers.ts';
import type { DecisionLock } from '../adapters/decision-lock.ts';
import type { Accounts } from '../clients/accounts.ts';
import type { Cards } from '../clients/cards.ts';
import type { Wallets } from '../clients/wallets.ts';
import type { Challenges } from '../store/challenges.ts';
import type { ChallengeHub } from '../watching/hub.ts';

/** All that the handlers work with. */
export type Dependencies = {
  runtime: Runtime;
  challenges: Challenges;
  reservations: Reservations;
  cards: Cards;
  accounts: Accounts;
  wallets: Wallets;
  contracts: ContractSigners;
  acs: AccessControlServer;
  lock: DecisionLock;
  hub: ChallengeHub;
};
