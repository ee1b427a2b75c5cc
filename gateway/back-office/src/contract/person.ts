import { z } from 'zod';
import { DISPUTE_STAGES } from './dispute-stages.ts';
import { amount, id, money, nextCursor, printable, reason, time, tokenAmount } from './fields.ts';
import { order } from './order.ts';
import { chainException } from './program.ts';

/**
 * By what a person is found, always exactly. `reference` is the id of a person, payment, card, challenge, deposit, withdrawal or account, the payment reference of an
 * account, or what others call a payment or a challenge: the processor's id of a transaction or event, the retrieval reference number, the
 * authorization code, the access control server's reference. `transaction` is the hash of a transaction on a chain.
 */
export const SEARCH_KINDS = ['email', 'wallet', 'last4', 'reference', 'transaction', 'id'] as const;

/** `POST /api/searches`. */
export const searchBody = z.strictObject({ by: z.enum(SEARCH_KINDS), value: z.string().trim().min(1).max(254), reason });
export const searchResult = z.object({
  /** At most 20, each with one thing that was found; `last4` and an authorization code may find many. */
  people: z.array(
    z.object({
      userId: id,
      /** With most of it hidden: `a•••@example.org`. */
      email: z.string(),
      registeredAt: time,
      /** The found object: a card, a payment, …, or the person. An `exception` is a transfer that needs a person. */
      match: z.object({ kind: z.enum(['person', 'card', 'payment', 'challenge', 'deposit', 'withdrawal', 'account', 'exception']), id }),
    }),
  ),
  /** Transfers of the transaction that need a person, at most 20: for those who may read them (`chain.read`), also where their accounts are of nobody any more. */
  exceptions: z.array(chainException),
  /** True if there are more than were returned. */
  hasMore: z.boolean(),
});
export type SearchResult = z.output<typeof searchResult>;

/** `GET` and `POST /api/people/{userId}/access`: 30 minutes in which this operator may read this person's file. */
export const access = z.object({ userId: id, reason: z.string(), expiresAt: time });
export type Access = z.output<typeof access>;

const wallet = z.object({ address: z.string(), isPrimary: z.boolean(), approvesFrom: time.optional() });

/** Balances of one currency. */
const balance = z.object({
  currency: z.string(),
  decimals: z.int(),
  spendable: amount,
  held: amount,
  processingDeposits: amount,
  processingWithdrawals: amount,
  debt: amount,
});

/** `GET /api/people/{userId}`. */
export const person = z.object({
  user: z.object({ id, partnerId: z.string(), email: z.string(), registeredAt: time, wallets: z.array(wallet) }),
  /** In lower case with hyphens, for example `in-review`. */
  kyc: z.object({ status: z.string(), profileId: z.string() }),
  /** The next step of the person, or the decision to wait for, in lower case with hyphens, for example `action-accept-tos`. */
  onboarding: z.object({ status: z.string() }),
  /** Absent until it is opened. */
  account: z
    .object({
      id,
      status: z.string(),
      chainName: z.string(),
      safeAddress: z.string(),
      safeOwnerAddress: z.string(),
      reference: z.string(),
      createdAt: time,
      balances: z.array(balance),
      /** True if its Safe will never be verified again, so that the person needs another account. */
      safeHistoryDiffers: z.boolean(),
      /** Tokens that the account cannot spend, each with the reason: `frozen` (of this account alone), `paused` or `upgraded` (of all). */
      tokenBlocks: z.array(z.object({ token: z.string(), reason: z.string(), since: time })),
    })
    .optional(),
  /** The accounts that it succeeds, the last one first. */
  formerAccounts: z.array(
    z.object({
      id,
      status: z.string(),
      safeAddress: z.string(),
      /** By currency: `left` is still there, and `debt` is owed. */
      balances: z.array(z.object({ currency: z.string(), decimals: z.int(), left: amount, debt: amount })),
    }),
  ),
  /** The newest 20 orders that the person gets another account: `resolved` has opened it. */
  replacementOrders: z.array(order),
});
export type Person = z.output<typeof person>;

export const card = z.object({
  id,
  name: z.string(),
  last4: z.string(),
  network: z.string(),
  expiresMonth: z.int(),
  expiresYear: z.int(),
  status: z.string(),
  statusReason: z.string(),
  /** `cardholder` or `issuer` of a frozen card. */
  frozenBy: z.string().optional(),
  /** The actor who froze it for the issuer: the name of the operator, or of the process. Absent where the history does not tell. */
  frozenByName: z.string().optional(),
  createdAt: time,
  replacedBy: id.optional(),
});
export type Card = z.output<typeof card>;
/** `GET /api/people/{userId}/cards`. */
export const cards = z.object({ cards: z.array(card), nextCursor });

const controlList = z.object({ allow: z.array(z.string()), deny: z.array(z.string()) });
/** `GET /api/people/{userId}/cards/{cardId}/rules`: what a payment with the card is checked against. */
export const cardRules = z.object({
  /** In the billing currency's minor unit, with what is used and when that begins anew; both are absent of the limit of a single payment. */
  limits: z.array(
    money.extend({
      name: z.enum(['perTransaction', 'daily', 'weekly', 'monthly', 'atm']),
      used: amount.optional(),
      resetsAt: time.optional(),
    }),
  ),
  /** An allowed list lets nothing else through; empty, it lets everything through that is not denied. */
  categories: controlList,
  countries: controlList,
  merchants: controlList,
  /** Ways to pay that are switched off. */
  off: z.array(z.enum(['online', 'contactless', 'atm'])),
  /** True if the card approves a single purchase. */
  isSingleUse: z.boolean(),
});
export type CardRules = z.output<typeof cardRules>;

/** Amounts are in the minor unit of the billing currency. */
const dispute = z.object({
  id,
  /** `submitted`, `won`, `lost` or `withdrawn`. */
  status: z.string(),
  /** The latest stage, in lower case with hyphens. */
  stage: z.string(),
  reason: z.string(),
  amount,
  credited: amount,
  openedAt: time.optional(),
  /** When the network expects the next step; absent if that is not known, and once it is decided. */
  deadline: time.optional(),
});

export const payment = z.object({
  id,
  cardId: id,
  status: z.string(),
  kind: z.string(),
  amount: money,
  original: money,
  held: amount,
  cleared: amount,
  refunded: amount,
  isCredit: z.boolean(),
  merchant: z.object({ name: z.string(), city: z.string(), country: z.string(), categoryCode: z.string() }),
  declineReason: z.object({ code: z.string(), message: z.string() }).optional(),
  challengeId: id.optional(),
  createdAt: time,
  updatedAt: time,
  /** When what is held for it is released; absent unless it is pending. */
  holdExpiresAt: time.optional(),
  /** The latest one. */
  dispute: dispute.optional(),
});
export type Payment = z.output<typeof payment>;
/** `GET /api/people/{userId}/payments`. */
export const payments = z.object({ payments: z.array(payment), nextCursor });

/** `GET /api/people/{userId}/payments/{paymentId}`. */
export const paymentDetail = payment.extend({
  /** Its names elsewhere: the code of the approval, the retrieval reference number, and the processor's id of the transaction. */
  authorizationCode: z.string().optional(),
  retrievalReference: z.string().optional(),
  transactionId: z.string().optional(),
  events: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      at: time,
      amount: z.string(),
      approved: z.boolean(),
      responseCode: z.string(),
      /** Code of why it was declined. */
      decline: z.string().optional(),
    }),
  ),
  ledgerEntries: z.array(z.string()),
  /** Latest first, each with its steps in the order of arrival. */
  disputes: z.array(
    dispute.extend({
      networkCaseId: z.string().optional(),
      networkReasonCode: z.string().optional(),
      steps: z.array(
        z.object({
          id: z.string(),
          stage: z.string(),
          at: time,
          /** The part that the step is about; absent for the disputed amount. */
          amount: amount.optional(),
          note: z.string(),
          /** The actor who took the step: the name of the operator, or of the process. */
          by: z.string(),
        }),
      ),
    }),
  ),
});
export type PaymentDetail = z.output<typeof paymentDetail>;

/** `POST /api/people/{userId}/payments/{paymentId}/disputes/{disputeId}/advance`: a step of a dispute. The reason is its note. */
export const advanceDisputeBody = z.strictObject({
  stage: z.enum(DISPUTE_STAGES),
  /** In the minor unit of the billing currency; the disputed amount by default. */
  amount: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number of minor units')
    .optional(),
  deadline: time.optional(),
  networkCaseId: printable(1, 50).optional(),
  reason,
});

export const challenge = z.object({
  id,
  cardId: id,
  cardLast4: z.string(),
  /** Absent without a payment. */
  amount: money.optional(),
  merchant: z.object({ name: z.string(), country: z.string() }),
  status: z.string(),
  decision: z.string().optional(),
  reference: z.string(),
  createdAt: time,
  expiresAt: time,
});
export type Challenge = z.output<typeof challenge>;
/** `GET /api/people/{userId}/challenges`. */
export const challenges = z.object({ challenges: z.array(challenge), nextCursor });

/** `GET /api/people/{userId}/challenges/{challengeId}`: with the evidence of the decision, once there is one. */
export const challengeDetail = challenge.extend({
  receipt: z
    .object({
      decision: z.string(),
      signer: z.string(),
      signerType: z.string(),
      signature: z.string(),
      typedDataHash: z.string(),
      fingerprint: z.string(),
      issuedAt: time,
      decidedAt: time,
    })
    .optional(),
});
export type ChallengeDetail = z.output<typeof challengeDetail>;

/** `GET /api/people/{userId}/sessions`. */
export const sessions = z.object({
  sessions: z.array(z.object({ id, wallet: z.string(), createdAt: time, lastUsedAt: time, userAgent: z.string(), ip: z.string() })),
  nextCursor,
});

export const deposit = z.object({
  id,
  amount: money,
  token: z.string(),
  status: z.string(),
  txHash: z.string(),
  fromAddress: z.string(),
  screening: z.object({ result: z.string(), riskScore: z.int(), riskTier: z.string() }).optional(),
  /** The name of the operator or process that approved or rejected it; absent if the screening did. */
  resolvedBy: z.string().optional(),
  createdAt: time,
});
export type Deposit = z.output<typeof deposit>;
/** `GET /api/people/{userId}/deposits`, and `…/deposits/{depositId}` with the one. */
export const deposits = z.object({ deposits: z.array(deposit), nextCursor });

/** `GET /api/people/{userId}/withdrawals`, and `…/withdrawals/{withdrawalId}` with the one. */
export const withdrawals = z.object({
  withdrawals: z.array(
    z.object({ id, amount: money, token: z.string(), status: z.string(), txHash: z.string(), toAddress: z.string(), createdAt: time }),
  ),
  nextCursor,
});

/** `GET /api/people/{userId}/summary`: what a caller asks about, from the latest 50 of everything. */
export const summary = z.object({
  /** Pending payments and what is held for them, newest first. */
  holds: z.array(z.object({ paymentId: id, merchant: z.string(), held: money, expiresAt: time.optional() })),
  /** The latest dispute of each disputed payment, newest payment first; amounts are in `currency`. */
  disputes: z.array(dispute.extend({ paymentId: id, merchant: z.string(), decimals: z.int(), currency: z.string() })),
  /** Events, newest first, at most 50. */
  timeline: z.array(
    z.object({
      /** `card` is a change of a card. */
      kind: z.enum(['payment', 'dispute', 'challenge', 'deposit', 'withdrawal', 'card', 'session']),
      /** Of the object; of the payment for a dispute. */
      id,
      at: time,
      /** The present state of the object; the action of a change of a card, for example `report_lost`. Empty for a session, which was opened. */
      status: z.string(),
      /** The merchant, the end of the card's number, or the device. */
      about: z.string(),
      /** Code of why a payment was declined. */
      decline: z.string().optional(),
      amount: money.optional(),
      /** The actor of a change of a card, where it was not the cardholder. */
      by: z.string().optional(),
    }),
  ),
  /** Parts that could not be read (`payments`, `holds`, `disputes`, `challenges`, `deposits`, `withdrawals`, `cards`, `sessions`); nothing of them is above. */
  unavailable: z.array(z.string()),
});
export type Summary = z.output<typeof summary>;

/** `GET /api/people/{userId}/recovery`: empty where Safes are of no chain, or of an account that is not there yet. */
export const recovery = z.object({
  /** Absent without one. */
  backupKey: z.object({ address: z.string(), namedAt: time.optional() }).optional(),
  /** The newest 50 that the person has signed, newest first. */
  transactions: z.array(
    z.object({
      id,
      /** `naming` of a backup key, `request` for the exchange of the owner, or `cancellation` of that. */
      kind: z.string(),
      /** `requested`, `completed` or `failed`; of a request also `waiting`, `executable`, `stopped` or `expired`. */
      status: z.string(),
      /** Of a naming. */
      backupKey: z.string().optional(),
      /** Of a request, as `newOwner`. */
      formerOwner: z.string().optional(),
      newOwner: z.string().optional(),
      createdAt: time,
      /** From when and until when the exchange can be executed; absent before it waits. */
      executableAt: time.optional(),
      expiresAt: time.optional(),
      endedAt: time.optional(),
      /** The calls that the relayer has sent for it: `deployment`, `execution`, `exchange` or `expiry`. The hash is absent before it was signed. */
      calls: z.array(z.object({ step: z.string(), txHash: z.string().optional(), isStuck: z.boolean() })),
      /** True while a person has to look at it. */
      isStuck: z.boolean(),
    }),
  ),
});
export type Recovery = z.output<typeof recovery>;

/** `GET /api/people/{userId}/entries`. */
export const entries = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      transfers: z.array(tokenAmount.extend({ debit: z.string(), credit: z.string() })),
      actor: z.string(),
      reason: z.string(),
      approvedBy: z.string(),
      isForced: z.boolean(),
      createdAt: time,
    }),
  ),
  nextCursor,
});

/** `GET /api/people/{userId}/events`: what was reported about the person, oldest first. */
export const events = z.object({
  events: z.array(z.object({ id: z.string(), type: z.string(), sequence: z.string(), subject: z.string(), at: time })),
  nextCursor,
});
