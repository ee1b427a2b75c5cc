import { BACK_OFFICE_SCOPES } from '@florin/back-office/scopes';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { PROCESS_NAMES, type ProcessName } from './config.ts';

/** The platform's own clients: its processes, and the operator at the command line. */
export type Client = ProcessName | 'operator';
export const CLIENTS: readonly Client[] = [...PROCESS_NAMES, 'operator'];

/** Every scope of every service. */
export const ALL_SCOPES: readonly string[] = [
  AUDIT_SCOPES,
  CARD_SCOPES,
  CHAIN_SCOPES,
  EVENTS_SCOPES,
  IDENTITY_SCOPES,
  LEDGER_SCOPES,
  PRIVACY_SCOPES,
  SETTLEMENT_SCOPES,
  THREEDS_SCOPES,
  VAULT_SCOPES,
].flatMap((scopes) => Object.values(scopes));

const PROCESS_SCOPES = {
  gateway: [IDENTITY_SCOPES.signIn, IDENTITY_SCOPES.writeKyc, IDENTITY_SCOPES.registerPartners, THREEDS_SCOPES.watchChallenges],
  identity: [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readAccounts, PRIVACY_SCOPES.eraseData, EVENTS_SCOPES.append],
  card: [
    LEDGER_SCOPES.readBalances,
    LEDGER_SCOPES.writeEntries,
    // An authorization that the restored database has lost is approved again by its hold.
    LEDGER_SCOPES.readEntries,
    LEDGER_SCOPES.readAdjustments,
    VAULT_SCOPES.writeCardNumbers,
    // Sealed to the processor's key: the card service cannot open it.
    VAULT_SCOPES.sealCardNumbers,
    IDENTITY_SCOPES.verifyPhones,
    IDENTITY_SCOPES.checkPartners,
    THREEDS_SCOPES.consumeAuthentications,
    EVENTS_SCOPES.append,
  ],
  ledger: [EVENTS_SCOPES.append, IDENTITY_SCOPES.checkPartners],
  threeds: [CARD_SCOPES.readCards, IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts, EVENTS_SCOPES.append],
  // Calls other services with the users' own tokens, besides.
  vault: [EVENTS_SCOPES.append],
  chain: [
    LEDGER_SCOPES.readAccounts,
    LEDGER_SCOPES.writeAccounts,
    LEDGER_SCOPES.confirmSafes,
    LEDGER_SCOPES.signReserves,
    LEDGER_SCOPES.haltChains,
    LEDGER_SCOPES.readBalances,
    LEDGER_SCOPES.readEntries,
    LEDGER_SCOPES.writeDeposits,
    LEDGER_SCOPES.reverseDeposits,
    LEDGER_SCOPES.writeWithdrawals,
    // Books what was collected from Safes.
    LEDGER_SCOPES.writeEntries,
    LEDGER_SCOPES.systemEntries,
    SETTLEMENT_SCOPES.writeRecords,
    SETTLEMENT_SCOPES.writeCollections,
    EVENTS_SCOPES.append,
  ],
  events: [IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts, LEDGER_SCOPES.readEntries],
  // `webhooks` connects to partners only; it calls no service.
  webhooks: [],
  settlement: [CARD_SCOPES.matchSettlement, LEDGER_SCOPES.readEntries],
  notifications: [
    EVENTS_SCOPES.read,
    CARD_SCOPES.readPayments,
    CARD_SCOPES.readCards,
    THREEDS_SCOPES.readChallenges,
    IDENTITY_SCOPES.readUsers,
  ],
  'back-office': Object.values(BACK_OFFICE_SCOPES).flat(),
} as const satisfies Record<ProcessName, readonly string[]>;

/** The dependencies of the gateway's `/sandbox/…` routes, in the sandbox only. */
const SANDBOX_GATEWAY_SCOPES = [
  CARD_SCOPES.writePayments,
  CARD_SCOPES.writeDisputes,
  CARD_SCOPES.readPayments,
  IDENTITY_SCOPES.readOutbox,
  LEDGER_SCOPES.writeDeposits,
  LEDGER_SCOPES.resolveDeposits,
  LEDGER_SCOPES.readDeposits,
  LEDGER_SCOPES.writeWithdrawals,
  LEDGER_SCOPES.readWithdrawals,
  THREEDS_SCOPES.writeChallenges,
] as const;

/**
 * Returns the scopes of every client; everything else is denied. Services ignore scopes of a token that its client does not have.
 * The operator has all scopes: it stands in for the back office, the processor and the access control server, which are external
 * systems in production. Outside the sandbox, the gateway can neither move money nor create challenges nor read the outbox.
 */
export const clientScopes = ({ sandbox }: { sandbox: boolean }): Readonly<Record<Client, readonly string[]>> => ({
  ...PROCESS_SCOPES,
  gateway: [...PROCESS_SCOPES.gateway, ...(sandbox ? SANDBOX_GATEWAY_SCOPES : [])],
  operator: [...ALL_SCOPES].sort(),
});
