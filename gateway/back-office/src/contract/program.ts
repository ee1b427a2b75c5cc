import { z } from 'zod';
import { amount, id, money, nextCursor, printable, reason, time, tokenAmount } from './fields.ts';
import { order } from './order.ts';

/** `POST /api/people/{userId}/deposits/{depositId}/resolve`. */
export const resolveDepositBody = z.strictObject({ outcome: z.enum(['approved', 'rejected']), reason });

/**
 * The answer to every action. An action is known by its Idempotency-Key: repeated with the same one it is done once, and returns the same. After an
 * answer that did not arrive, repeat it.
 */
export const actionDone = z.object({
  actionId: z.uuid(),
  /** State of what was changed, for example `frozen`. */
  status: z.string(),
  /** A secret that the action has made. It is stored nowhere: a repeat comes without it. */
  secret: z.string().optional(),
});
export type ActionDone = z.output<typeof actionDone>;

const transfer = z.strictObject({
  /** UUID of a user account, or the name of a system account. */
  debit: z.string().min(1).max(64),
  credit: z.string().min(1).max(64),
  token: z.string().min(1).max(16),
  amount: z.string().regex(/^[1-9]\d{0,38}$/, 'must be a whole number of smallest units'),
});

export const adjustment = z.object({
  id,
  /** `pending` waits for a second operator. */
  status: z.string(),
  /** The moved amounts; none for the reversal of an entry or a deposit, which `subject` names. */
  transfers: z.array(tokenAmount.extend({ debit: z.string(), credit: z.string() })),
  subject: z.object({ kind: z.enum(['entry', 'deposit']), id: z.string() }).optional(),
  needsApproval: z.boolean(),
  /** The actor who ordered it, as the back office names operators: `operator:<id>`. */
  actor: z.string(),
  /** Name of that operator, if it is one of the back office. */
  actorName: z.string().optional(),
  reason: z.string(),
  /** Name of the operator who approved or rejected it. */
  decidedBy: z.string().optional(),
  /** Why it was rejected. */
  rejectionReason: z.string(),
  failureCode: z.string(),
  createdAt: time,
  updatedAt: time,
});
export type Adjustment = z.output<typeof adjustment>;
/** The owner of an account. Most of the address is hidden; it is absent once the owner's data was erased, and while identity does not answer. */
const accountOwner = z.object({ accountId: id, userId: id, email: z.string().optional() });
export type AccountOwner = z.output<typeof accountOwner>;
/** `GET /api/adjustments?status=pending&cursor=`: with the owners of the accounts that the orders name, as far as they could be read. */
export const adjustments = z.object({ adjustments: z.array(adjustment), owners: z.array(accountOwner), nextCursor });
/** `POST /api/adjustments`. */
export const adjustmentBody = z.strictObject({ transfers: z.array(transfer).min(1).max(10), reason });

/** `GET /api/money/accounts/{accountId}`: whose account an order names, and what is in it. */
export const moneyAccount = z.object({
  id,
  userId: id,
  /** Most of the address is hidden. Absent for an account whose owner's data was erased. */
  email: z.string().optional(),
  reference: z.string(),
  status: z.string(),
  /** By currency. */
  balances: z.array(z.object({ currency: z.string(), decimals: z.int(), spendable: z.string() })),
});
export type MoneyAccount = z.output<typeof moneyAccount>;

/** `GET /api/money/tokens`: what an order can name. */
export const moneyTokens = z.object({
  tokens: z.array(
    z.object({
      token: z.string(),
      decimals: z.int(),
      currency: z.string(),
      /** Orders of one operator, or for one account, are booked at once up to this amount within so many hours. */
      approvalAbove: z.string(),
      approvalWindowHours: z.int(),
    }),
  ),
  systemAccounts: z.array(z.string()),
});
export type MoneyTokens = z.output<typeof moneyTokens>;

/** `GET /api/money/allowance?debit=&credit=`: what this operator may move between two accounts now without approval, by token, in smallest units. */
export const moneyAllowance = z.object({ amounts: z.record(z.string(), amount) });
export type MoneyAllowance = z.output<typeof moneyAllowance>;

/** `GET /api/partners`: the partners of the deployment. */
export const partners = z.object({ partners: z.array(z.object({ id: z.string(), name: z.string() })) });
export type Partners = z.output<typeof partners>;

/** `GET /api/partners/{partnerId}/keys`. */
export const partnerKeys = z.object({
  /** Oldest first; those that may sign. */
  keys: z.array(
    z.object({
      /** Thumbprint of the key, and name of the client in its tokens. */
      clientId: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      createdAt: time,
      /** Absent for a key that does not end by itself. */
      expiresAt: time.optional(),
      /** Name of the client that registered it; empty when it registered itself in a sandbox. */
      registeredBy: z.string(),
    }),
  ),
  /** What keys can be given. */
  scopes: z.array(z.string()),
});
const keyScopes = z.array(z.string().max(64)).min(1).max(20);
/** `POST /api/partners/{partnerId}/keys`: the public half of an Ed25519 key, `x` of its JWK (RFC 8037). */
export const partnerKeyBody = z.strictObject({
  name: printable(1, 60),
  x: z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url'),
  scopes: keyScopes,
  reason,
});
/** `POST /api/partners/{partnerId}/invitations`: makes a bootstrap token. */
export const partnerInvitationBody = z.strictObject({ scopes: keyScopes, reason });

/** `GET /api/partners/{partnerId}/endpoints`. */
export const webhookEndpoint = z.object({
  id: z.string(),
  partnerId: z.string(),
  /** Without its path and query, which may be secret. */
  url: z.string(),
  status: z.string(),
  /** Types of the delivered events; none: all. */
  types: z.array(z.string()),
  parkedSubjects: z.int(),
  failingSince: time.optional(),
  lastSuccessAt: time.optional(),
});
/** `POST /api/partners/{partnerId}/endpoints`. */
export const webhookEndpointBody = z.strictObject({
  url: z.string().trim().min(1).max(2000),
  types: z.array(z.string().max(64)).max(100),
  contactEmail: z.string().trim().max(254),
  reason,
});
export const webhookEndpoints = z.object({ endpoints: z.array(webhookEndpoint) });
/** `GET /api/partners/{partnerId}/endpoints/{endpointId}/attempts?sequence=&cursor=`. */
export const webhookAttempts = z.object({
  attempts: z.array(
    z.object({
      id: z.string(),
      eventId: z.string(),
      eventType: z.string(),
      sequence: z.string(),
      number: z.int(),
      at: time,
      durationMs: z.int(),
      httpStatus: z.int(),
      failure: z.string(),
    }),
  ),
  nextCursor,
});
/** `POST /api/partners/{partnerId}/endpoints/{endpointId}/redeliver`. */
export const redeliverBody = z.strictObject({ sequence: z.string().regex(/^[1-9]\d{0,14}$/), reason });
/** `POST /api/partners/{partnerId}/endpoints/{endpointId}/replay`: everything after a cursor of the partner's feed; empty: all events that are kept. */
export const replayBody = z.strictObject({ after: z.string().trim().max(500), reason });

/** `GET /api/chain`. */
export const chainWatches = z.object({
  watches: z.array(
    z.object({
      chainId: z.int(),
      state: z.string(),
      problem: z.string(),
      blockNumber: z.string(),
      finalizedBlockNumber: z.string(),
      nodes: z.int(),
      succeededAt: time.optional(),
    }),
  ),
});
export const chainException = z.object({
  id,
  kind: z.string(),
  status: z.string(),
  code: z.string(),
  /** Empty of what concerns all that hold a token. */
  accountId: id.or(z.literal('')),
  chainId: z.int(),
  txHash: z.string(),
  direction: z.string(),
  counterparty: z.string(),
  amount: tokenAmount,
  createdAt: time,
  closedBy: z.string(),
  note: z.string(),
  booked: z.boolean(),
  /** The actor who decided that a rejected deposit goes back to its sender; empty before. */
  returnedBy: z.string(),
});
/** `GET /api/chain/exceptions?status=open&cursor=`. */
export const chainExceptions = z.object({ exceptions: z.array(chainException), nextCursor });
/** A report of the card network that a person has to look at. */
const cardException = z.object({
  id,
  kind: z.string(),
  status: z.string(),
  /** The usual way to resolve it. */
  proposal: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  cardId: z.string(),
  /** The payments that the event fits equally well. */
  candidates: z.array(id),
  /** Empty if it is not known. */
  accountId: z.string(),
  /** The amount as billed, and as the network has stated it; absent when unknown. */
  amount: money.optional(),
  original: money.optional(),
  /** The amount in suspense: below zero when the network has charged it. */
  suspended: tokenAmount.optional(),
  createdAt: time,
  /** Empty until it is resolved. */
  resolvedBy: z.string(),
  note: z.string(),
});
export type CardException = z.output<typeof cardException>;
/** `GET /api/card-exceptions?status=open`, oldest first. */
export const cardExceptions = z.object({ exceptions: z.array(cardException), nextCursor });
/** `POST /api/card-exceptions/{exceptionId}/book`: which account what is in suspense is for. */
export const bookExceptionBody = z.strictObject({ account: z.string().min(1).max(64), reason });

/** The effects of letting a halted chain go on, as the chain service reports them when it is ordered. */
const haltPreview = z.object({
  /** Last block that stays booked. */
  resumeBlock: z.string(),
  resumeHash: z.string(),
  /** Transfers after it that stay booked. */
  kept: z.int(),
  /** Transfers after it that are taken back. */
  vanished: z.int(),
  /** The first of those, at most 20. */
  transfers: z.array(z.object({ txHash: z.string(), accountId: id, direction: z.string(), amount: tokenAmount })),
});
export type HaltPreview = z.output<typeof haltPreview>;

/** An order that lets a halted chain go on; it has `failed` when the chain was not as it was when this was ordered. */
export const haltOrder = order.extend({
  chainId: z.int(),
  /** First block that was replaced, or an earlier one. */
  fromBlock: z.string(),
  preview: haltPreview,
});
export type HaltOrder = z.output<typeof haltOrder>;
/** `GET /api/chain/halts`: the newest 50. */
export const haltOrders = z.object({ orders: z.array(haltOrder) });
/** `POST /api/chain/halts`. */
export const haltOrderBody = z.strictObject({
  chainId: z.int().min(1).max(4_294_967_295),
  fromBlock: z.string().regex(/^[1-9]\d{0,14}$/, 'must be the number of a block'),
  reason,
});

/** `POST /api/chain/exceptions/{id}/close`: the reason is its note. */
export const closeExceptionBody = z.strictObject({ booked: z.boolean(), reason });

/** `GET /api/reserves`: the newest proof of reserves of each chain. */
export const reserves = z.object({
  proofs: z.array(
    z.object({
      chainId: z.int(),
      /** Block as of which it states balances, and its hash. */
      block: z.string(),
      blockHash: z.string(),
      createdAt: time,
      /**
       * `covered`: it proves that Safes and treasuries hold what is owed. `missing`: it proves that they do not. `invalid`: it proves nothing. `too-large` to be
       * checked here: download it, and check it with `npm run ledger -- check-reserves`.
       */
      verdict: z.enum(['covered', 'missing', 'invalid', 'too-large']),
      /** Why an invalid one proves nothing; else empty. */
      problem: z.string(),
      /** Safes that hold something. */
      safes: z.int(),
      /** SHA-256 of the file; empty if it was not read. */
      hash: z.string(),
      /** Sums of each token. */
      tokens: z.array(
        z.object({
          token: z.string(),
          held: tokenAmount,
          owed: tokenAmount,
          /** Missing in Safes that hold less than is owed to their accounts. */
          missing: tokenAmount,
          /** In the treasuries that the file names. */
          treasury: tokenAmount,
          isCovered: z.boolean(),
        }),
      ),
    }),
  ),
});
export type Reserves = z.output<typeof reserves>;
/** `GET /api/reserves/{chainId}/{block}`: the file, byte for byte. */
export const reservesFile = z.object({ text: z.string() });

/** A day of the books, as 2026-01-31. */
export const bookDay = z.iso.date();

/** Verdict of a report. */
const reportVerdict = z.object({
  day: bookDay,
  madeAt: time,
  /** Number of the differences that it names; 0: the books agree. */
  differences: z.int(),
  /** True if it compares ledger and chain too. */
  comparesChain: z.boolean(),
  /** SHA-256 of its signed lines, and thumbprint of the key of the signature. */
  digest: z.string(),
  key: z.string(),
});
export type ReportVerdict = z.output<typeof reportVerdict>;

/** `GET /api/overview`. */
export const overview = z.object({
  at: time,
  people: z.object({ registered: z.int(), registeredLastDay: z.int(), registeredLastWeek: z.int() }),
  cards: z.object({ active: z.int(), frozen: z.int() }),
  /** Balances of the ledger's system accounts by token, in smallest units: `debt` is what people owe. */
  money: z.array(z.object({ account: z.string(), balance: tokenAmount })),
  /** The last closed day of the books of settlement; absent when none is, and without a settlement service. */
  closedDay: z.string().optional(),
  /** Of the latest reported day: the newest report that compares the chain, or else the newest; absent if none was made. */
  lastReport: reportVerdict.optional(),
  /** When the newest proof of reserves was made; absent when there is none. */
  reservesAt: time.optional(),
  /** `late` has not answered in time, and may serve nevertheless. */
  services: z.array(z.object({ name: z.string(), status: z.enum(['serving', 'not-serving', 'late', 'unreachable']) })),
  /** The alerts that fire: objectives that the platform, or a service of it, misses now. Absent without a Prometheus. The longest first. */
  alerts: z
    .array(z.object({ name: z.string(), severity: z.string(), summary: z.string(), since: time, service: z.string().optional() }))
    .optional(),
  /** Parts that could not be read; their figures are absent as zero. */
  unavailable: z.array(z.string()),
});
export type Overview = z.output<typeof overview>;

/** `GET /api/overview/trends?days=7`: the last days of the program, today included. Days are those of UTC. Each number is counted up to 1,000,000. */
export const trends = z.object({
  from: time,
  /** Oldest first, one for each day: `2026-01-31`. */
  signUps: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  payments: z.object({
    approved: z.int(),
    /** Most frequent first; the reasons are codes of declines. */
    declined: z.array(z.object({ reason: z.string(), count: z.int() })),
    /** Oldest first, one for each day; `amount` is the sum of what was approved. */
    volumes: z.array(z.object({ day: z.iso.date(), approved: z.int(), amount, declined: z.int() })),
    /** The billing currency, in which amounts are, and its decimals. */
    currency: z.string(),
    decimals: z.int(),
  }),
  /** Approvals that people were asked for, by what became of them. */
  challenges: z.object({
    approved: z.int(),
    declined: z.int(),
    expired: z.int(),
    cancelled: z.int(),
    failed: z.int(),
    open: z.int(),
  }),
  /** Parts that could not be read (`signUps`, `payments`, `challenges`); their figures are empty or zero. */
  unavailable: z.array(z.string()),
});
export type Trends = z.output<typeof trends>;

/** A read or an action of the audit log, with its end. */
export const auditCall = z.object({
  sequence: z.int(),
  at: time,
  hash: z.string(),
  /** The operator's id, or `command-line`. */
  operatorId: z.string(),
  operatorName: z.string().optional(),
  /** For example `people.read` or `cards.freeze`. */
  operation: z.string(),
  reason: z.string(),
  requestId: z.string(),
  subjects: z.record(z.string(), z.string()),
  /** How it ended: OK or an error code. A call without an outcome is under way or was interrupted: whether it was carried out is not known. */
  outcome: z.object({ code: z.string(), at: time }).optional(),
  /** True if it is the reading that shows it, whose outcome is recorded afterwards. */
  isThisReading: z.literal(true).optional(),
});
export type AuditCall = z.output<typeof auditCall>;
/** `GET /api/audit?before=&operatorId=&userId=&operation=&code=&from=&to=`: newest first. */
export const auditCalls = z.object({
  calls: z.array(auditCall),
  /** Those of which the log has calls, by which it can be filtered. */
  operations: z.array(z.string()),
  /** The codes with which calls of the log ended, by which it can be filtered. */
  codes: z.array(z.string()),
  /** The `before` of the next page; absent on the last one. */
  nextBefore: z.int().optional(),
  /** Sequence of the last record that was removed after its time; 0 when there is none. */
  removedThrough: z.int(),
});
export type AuditCalls = z.output<typeof auditCalls>;

/** `GET /api/audit/verification`. */
export const auditVerification = z.object({ checkedTo: z.int(), hash: z.string(), firstBadSequence: z.int(), removedThrough: z.int() });

const bookBalances = {
  /** Positions with networks for business dates: above zero what the operator owes the network. */
  positions: z.array(money.extend({ network: z.string(), day: bookDay })),
  /** The other accounts; a debit is above zero. */
  accounts: z.array(money.extend({ account: z.string() })),
};

/** `GET /api/settlement`: the books of settlement with everything that is booked. */
export const settlement = z.object({
  ...bookBalances,
  /** The last closed day; absent when none is. */
  closedDay: bookDay.optional(),
  /** The latest 100: those on the latest day first, of one day those that compare the chain, and the newest first. */
  reports: z.array(reportVerdict),
});
export type Settlement = z.output<typeof settlement>;

/** `GET /api/settlement/days?cursor=`: the closed days, latest first. */
export const closedDays = z.object({
  days: z.array(z.object({ day: bookDay, closedAt: time, records: z.int() })),
  nextCursor,
});

/** `GET /api/settlement/days/{day}`: the signed close that a day is in. The signature is over positions as the books have them, in which a debit is above zero. */
export const dayClose = z.object({
  ...bookBalances,
  /** The last day that it closes. */
  day: bookDay,
  /** The last day that was closed before. */
  previousDay: bookDay.optional(),
  closedAt: time,
  records: z.int(),
  recordsHash: z.string(),
  /** Number of the journal's block that closes the day, and hash of the one before it. */
  block: z.int(),
  previousHash: z.string(),
  /** Public Ed25519 key of the signature, and the signature, in base64url. */
  key: z.string(),
  signature: z.string(),
});
export type DayClose = z.output<typeof dayClose>;

/** `POST /api/settlement/close`. */
export const closeDayBody = z.strictObject({ day: bookDay, reason });
