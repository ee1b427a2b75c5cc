import type * as contract from '@florin/back-office/contract';
import type { z } from 'zod';

/** Answers whose shapes the contract does not name, and single rows of those that have rows. */
export type Sessions = z.output<typeof contract.sessions>;
export type Cards = z.output<typeof contract.cards>;
export type Payments = z.output<typeof contract.payments>;
export type Challenges = z.output<typeof contract.challenges>;
export type Deposits = z.output<typeof contract.deposits>;
export type Withdrawals = z.output<typeof contract.withdrawals>;
export type Entries = z.output<typeof contract.entries>;
export type Events = z.output<typeof contract.events>;
export type OwnSessions = z.output<typeof contract.ownSessions>;
export type OpenInvitations = z.output<typeof contract.openInvitations>;
export type Operators = z.output<typeof contract.operators>;
export type Adjustments = z.output<typeof contract.adjustments>;
export type WebhookEndpoints = z.output<typeof contract.webhookEndpoints>;
export type WebhookAttempts = z.output<typeof contract.webhookAttempts>;
export type ChainWatches = z.output<typeof contract.chainWatches>;
export type ChainExceptions = z.output<typeof contract.chainExceptions>;
export type CardExceptions = z.output<typeof contract.cardExceptions>;
export type CardException = contract.CardException;
export type WebhookEndpoint = WebhookEndpoints['endpoints'][number];
export type WebhookAttempt = WebhookAttempts['attempts'][number];
export type HaltOrders = z.output<typeof contract.haltOrders>;
export type ChainWatch = ChainWatches['watches'][number];
export type ChainException = ChainExceptions['exceptions'][number];
export type AuditVerification = z.output<typeof contract.auditVerification>;
export type SearchKind = z.output<typeof contract.searchBody>['by'];
