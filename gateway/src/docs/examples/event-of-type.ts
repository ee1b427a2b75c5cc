import { type EventTypeName, eventTypeOf, type FieldKind } from '@florin/proto/events/v1/event-types';
import { ACCOUNT_ID, CARD_ID, CHALLENGE_ID, MOVEMENT_ID, TIME, TX_HASH, USER_ID } from './example.ts';

const EVENT_ID = '01890a5d-ac96-774b-bcce-b302099a8010';
const HOLD_ID = '01890a5d-ac96-774b-bcce-b302099a8011';
const ENTRY_ID = '01890a5d-ac96-774b-bcce-b302099a8012';
const CARD_DATA_ID = '01890a5d-ac96-774b-bcce-b302099a8013';
const OTHER_HASH = `0x${'7c1e'.repeat(16)}`;

/** Values of fields by their names. */
const FIELDS: Readonly<Record<string, unknown>> = {
  userId: USER_ID,
  cardholderId: USER_ID,
  partnerId: 'acme',
  accountId: ACCOUNT_ID,
  cardId: CARD_ID,
  paymentId: MOVEMENT_ID,
  entryId: ENTRY_ID,
  holdId: HOLD_ID,
  reverses: ENTRY_ID,
  state: 'approved',
  status: 'active',
  actor: 'cardholder',
  decision: 'approve',
  kind: 'payment',
  last4: '4242',
  currency: 'EUR',
  decimals: 2,
  originalAmount: '1390',
  originalCurrency: 'USD',
  originalDecimals: 2,
  heldAmount: '0',
  clearedAmount: '1250',
  refundedAmount: '0',
  merchant: { name: 'Books and Coffee', city: 'Berlin', country: 'DE', categoryCode: '5942' },
  reason: 'insufficient_funds',
  challengeId: CHALLENGE_ID,
  relatedPaymentId: ENTRY_ID,
  processorTransactionId: 'processor-8f2c1d',
  networkTransactionId: '583961234567890',
  authorizationCode: '402113',
  retrievalReference: '602612000123',
  acquirerReference: '74537604221222132710572',
  depositId: MOVEMENT_ID,
  withdrawalId: MOVEMENT_ID,
  createdAt: TIME,
  change: 'owner_added',
  code: 'ACCOUNT_CLOSED',
  token: 'EURe',
  expiresAt: TIME,
  usableFrom: TIME,
  txHash: TX_HASH,
  bookedHash: TX_HASH,
  foundHash: OTHER_HASH,
  amount: '1250',
  unseen: '0',
  unbooked: '25000000000000000000',
  chainId: 100,
  logIndex: 3,
  blockNumber: 41_000_000,
  bookedTo: 41_000_000,
  vanished: 1,
  phoneVerified: true,
  disputeId: ENTRY_ID,
  stage: 'chargeback',
  cardBlocked: true,
  transfers: [{ debit: 'chain', credit: `user/${ACCOUNT_ID}/available`, token: 'EURe', amount: '25000000000000000000' }],
};

/** Ids of subjects by their kind. */
const SUBJECTS: Readonly<Record<string, string>> = {
  user: USER_ID,
  cardholder: USER_ID,
  card: CARD_ID,
  payment: MOVEMENT_ID,
  challenge: CHALLENGE_ID,
  card_data: CARD_DATA_ID,
  account: ACCOUNT_ID,
  exception: `100/${TX_HASH}/3`,
  difference: `100/${ACCOUNT_ID}/EURe`,
  watch: '100',
  deposit: MOVEMENT_ID,
  withdrawal: MOVEMENT_ID,
  withdrawal_request: MOVEMENT_ID,
  entry: `0/${ENTRY_ID}`,
};

/** Words that say what a type says. */
const WORDS: Readonly<Partial<Record<EventTypeName, Readonly<Record<string, string>>>>> = {
  'card.frozen': { status: 'frozen' },
  'card.lost': { status: 'lost' },
  'card.stolen': { status: 'stolen' },
  'card.cancelled': { status: 'cancelled' },
  'user.kyc_changed': { status: 'approved' },
  'payment.authorized': { status: 'pending', heldAmount: '1250', clearedAmount: '0' },
  'payment.declined': { status: 'declined' },
  'payment.disputed': { stage: 'opened' },
  'payment.dispute_represented': { stage: 'representment' },
  'payment.dispute_pre_arbitration': { stage: 'pre_arbitration' },
  'payment.dispute_arbitration': { stage: 'arbitration' },
  'payment.dispute_won': { stage: 'won' },
  'payment.dispute_lost': { stage: 'lost' },
  'payment.dispute_withdrawn': { stage: 'withdrawn' },
  'payment.reversed': { status: 'reversed' },
  'payment.expired': { status: 'expired' },
  'challenge.created': { status: 'pending' },
  'challenge.decided': { status: 'processing' },
  'challenge.approved': { status: 'approved' },
  'challenge.declined': { status: 'declined', decision: 'decline' },
  'challenge.cancelled': { status: 'cancelled' },
  'challenge.expired': { status: 'expired' },
  'challenge.failed': { status: 'failed' },
  'deposit.seen': { status: 'pending' },
  'deposit.approved': { status: 'approved' },
  'deposit.rejected': { status: 'rejected' },
  'deposit.reversed': { status: 'reversed' },
  'withdrawal.created': { status: 'pending' },
  'withdrawal.processing': { status: 'processing' },
  'withdrawal.completed': { status: 'completed' },
  'withdrawal.failed': { status: 'failed' },
};

/** A challenge has a decision only once it was decided. */
const UNDECIDED: ReadonlySet<string> = new Set(['challenge.created', 'challenge.cancelled', 'challenge.expired']);

/** Events that a clearing file reports. */
const PRESENTED: ReadonlySet<string> = new Set([
  ...['payment.cleared', 'payment.force_posted', 'payment.refunded', 'payment.related_refund', 'payment.second_presentment'],
]);

/** Fields that only some types of their kind have. */
const ONLY_OF: Readonly<Record<string, (type: EventTypeName) => boolean>> = {
  decision: (type) => !UNDECIDED.has(type),
  reason: (type) => type === 'payment.declined',
  relatedPaymentId: (type) => type.startsWith('payment.related_refund'),
  acquirerReference: (type) => PRESENTED.has(type),
};

/** Amounts of tokens have more decimals than those of currencies. */
const OF_TOKENS: Readonly<Record<string, unknown>> = { amount: '25000000000000000000', decimals: 18 };

const isOfToken = (type: EventTypeName): boolean => Object.hasOwn(eventTypeOf(type).fields, 'token');

const exampleOf = (type: EventTypeName, field: string, kind: FieldKind): unknown => {
  const isPaymentStatus = field === 'status' && type.startsWith('payment.');
  const value = WORDS[type]?.[field] ?? (isPaymentStatus ? 'settled' : ((isOfToken(type) ? OF_TOKENS[field] : undefined) ?? FIELDS[field]));
  if (value === undefined) throw new Error(`the field ${field} (${kind}) of ${type} has no example`);
  return value;
};

/** An example of the events of a type. */
export const eventOfType = (type: EventTypeName) => {
  const { subject, fields } = eventTypeOf(type);
  const shown = Object.entries(fields).filter(([field]) => ONLY_OF[field]?.(type) ?? true);
  return {
    id: EVENT_ID,
    type,
    timestamp: TIME,
    subject: `${subject}/${SUBJECTS[subject] ?? ''}`,
    sequence: 1042,
    previousSequence: 1038,
    subjectSequence: 1,
    data: Object.fromEntries(shown.map(([field, kind]) => [field, exampleOf(type, field, kind)])),
  };
};
