import type { Runtime } from '@florin/rpc/runtime';
import type { AuditTrail } from '@florin/rpc/server';
import type { AccountsClient } from '../clients/accounts.ts';
import type { CardsClient } from '../clients/cards.ts';
import type { ContractsClient } from '../clients/contract-signers.ts';
import type { WalletsClient } from '../clients/wallets.ts';
import type { DataKeys } from '../keys/data-keys.ts';
import type { ReceivingKey } from '../keys/receiving-key.ts';
import type { VaultKeys } from '../keys/vault-keys.ts';
import type { CardNumbers } from '../numbers/issue-card-number.ts';
import type { KeyManagement } from '../ports/key-management.ts';
import type { AccessStore } from '../store/accesses.ts';
import type { CardStore } from '../store/cards.ts';
import type { PanClaimStore } from '../store/pan-claims.ts';
import type { PinStore } from '../store/pins.ts';
import type { SecurityCodeTries } from '../store/security-code-tries.ts';
import type { VaultKeyStore } from '../store/vault-keys.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  cards: CardStore;
  pins: PinStore;
  securityCodeTries: SecurityCodeTries;
  claims: PanClaimStore;
  accesses: AccessStore;
  vaultKeys: VaultKeyStore;
  keys: VaultKeys;
  dataKeys: DataKeys;
  kms: KeyManagement;
  numbers: CardNumbers;
  /** The card processor's key; undefined when none is configured. */
  processorKey: ReceivingKey | undefined;
  revealsPerDay: number;
  cardService: CardsClient;
  accounts: AccountsClient;
  wallets: WalletsClient;
  contracts: ContractsClient;
  /** Uses of cards' secrets by their holders are recorded in it. */
  audit: AuditTrail;
  runtime: Runtime;
};
