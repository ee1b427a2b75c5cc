import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
/** Everyone who may call a service: the platform's own processes, and the operator at the command line. */
export const CLIENTS = ['gateway', 'identity', 'card', 'ledger', 'threeds', 'operator'] as const;
export type Client = (typeof CLIENTS)[number];

const PROCESS_SCOPES = {
  gateway: [
    IDENTITY_SCOPES.signIn,
    IDENTITY_SCOPES.writeKyc,
    LEDGER_SCOPES.writeDeposits,
    LEDGER_SCOPES.writeWithdrawals,
    THREEDS_SCOPES.writeChallenges,
    IDENTITY_SCOPES.readOutbox,
  ],
  identity: [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readAccounts],
  card: [LEDGER_SCOPES.readAccounts, IDENTITY_SCOPES.verifyPhones],
  ledger: [],
  threeds: [CARD_SCOPES.readCards, IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts],
} as const satisfies Record<Exclude<Client, 'operator'>, readonly string[]>;

/**
 * What each client may ask of the services; what is not listed is denied. Every service refuses a token whose scopes go
 * beyond its client's row. The operator stands for the back office, the processor and the access control server, which
 * are outside systems in production and somebody with grpcurl on one machine.
 */
export const CLIENT_SCOPES: Readonly<Record<Client, readonly string[]>> = {
  ...PROCESS_SCOPES,
  operator: [
    ...new Set([
      ...Object.values(PROCESS_SCOPES).flat(),
      IDENTITY_SCOPES.rotateKeys,
      LEDGER_SCOPES.readEntries,
      LEDGER_SCOPES.writeEntries,
      LEDGER_SCOPES.readJournal,
      THREEDS_SCOPES.readChallenges,
    ]),
  ].sort(),
};
