import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';

/**
 * The scopes of the back office's tokens and of its key, by service. Reading only, besides what its
 * actions need; its own roles decide who may.
 */
export const BACK_OFFICE_SCOPES = {
  identity: [
    IDENTITY_SCOPES.readUsers,
    IDENTITY_SCOPES.readSessions,
    IDENTITY_SCOPES.endSessions,
    IDENTITY_SCOPES.takeKycBack,
    IDENTITY_SCOPES.invitePartners,
    IDENTITY_SCOPES.managePartnerKeys,
  ],
  card: [
    CARD_SCOPES.readCards,
    CARD_SCOPES.writeCards,
    CARD_SCOPES.readPayments,
    CARD_SCOPES.writeDisputes,
    CARD_SCOPES.readExceptions,
    CARD_SCOPES.writeExceptions,
  ],
  ledger: [
    LEDGER_SCOPES.readAccounts,
    LEDGER_SCOPES.writeAccounts,
    LEDGER_SCOPES.readBalances,
    LEDGER_SCOPES.readDeposits,
    LEDGER_SCOPES.resolveDeposits,
    LEDGER_SCOPES.readWithdrawals,
    LEDGER_SCOPES.readEntries,
    LEDGER_SCOPES.readAdjustments,
    LEDGER_SCOPES.writeAdjustments,
    LEDGER_SCOPES.approveAdjustments,
  ],
  threeds: [THREEDS_SCOPES.readChallenges],
  chain: [CHAIN_SCOPES.readWatches, CHAIN_SCOPES.writeWatches, CHAIN_SCOPES.readExceptions, CHAIN_SCOPES.writeExceptions],
  events: [EVENTS_SCOPES.read, EVENTS_SCOPES.readWebhooks, EVENTS_SCOPES.manageWebhooks],
  settlement: [SETTLEMENT_SCOPES.readBooks, SETTLEMENT_SCOPES.closeDays],
} as const;
