/**
 * Kinds of values in the data of an event: `id` (a UUID, or a name given by the platform), `word` (a state or a code), `time` (ISO 8601), `amount` (an integer string in
 * the smallest unit), `hash` (of a transaction or block), `count` (an integer), `flag`, `merchant` (id, name, city, country, categoryCode, as far as
 * they are known), `transfers` (of an entry: debit, credit, token, amount).
 */
export type FieldKind = 'id' | 'word' | 'time' | 'amount' | 'hash' | 'count' | 'flag' | 'merchant' | 'transfers';

/** Version of the data of events that readers get unless they ask for another one. Version 1 is served until release 1.0. */
export const DATA_VERSION = 2;

/** A type of events. */
export type EventType = {
  /** Number under which feeds store it. Never used again for another type. */
  number: number;
  /** The service that causes it. */
  source: 'identity' | 'card' | 'ledger' | 'threeds' | 'vault' | 'chain' | 'journal';
  /** Kind of its subjects. All types that one document of a service causes have the same kind, because they are numbered together. */
  subject: string;
  description: string;
  /** Fields of its data. Everything else that a service stores with an event is left out of the feed. */
  fields: Readonly<Record<string, FieldKind>>;
  /** Fields that version 1 of its data has besides, or in their place, and version 2 has not. */
  former?: Readonly<Record<string, FieldKind>>;
  /** It concerns the operator only, and goes to the feed `_platform`. */
  internal?: true;
};

const user = { source: 'identity', subject: 'user' } as const;
const cardholder = { source: 'card', subject: 'cardholder' } as const;
const card = { source: 'card', subject: 'card' } as const;
const payment = { source: 'card', subject: 'payment' } as const;
const challenge = { source: 'threeds', subject: 'challenge' } as const;
const cardData = { source: 'vault', subject: 'card_data' } as const;
const account = { source: 'ledger', subject: 'account' } as const;
const exception = { source: 'chain', subject: 'exception' } as const;
const recovery = { source: 'chain', subject: 'recovery', fields: { accountId: 'id', userId: 'id', chainId: 'count' } } as const;
const difference = { source: 'chain', subject: 'difference', internal: true } as const;
const watch = { source: 'chain', subject: 'watch', internal: true } as const;
const entry = { source: 'journal', subject: 'entry' } as const;
const deposit = { source: 'journal', subject: 'deposit' } as const;
const withdrawal = { source: 'journal', subject: 'withdrawal' } as const;

const ofUser = { userId: 'id', partnerId: 'id' } as const;
const ofCard = { cardId: 'id', accountId: 'id', userId: 'id', status: 'word', last4: 'word' } as const;
const cardChange = { ...ofCard, actor: 'word' } as const;
/** Amount: of this event, in the billing currency. The others: of the payment, after the event. */
const paymentChange = {
  ...({ paymentId: 'id', cardId: 'id', accountId: 'id', userId: 'id', status: 'word', kind: 'word', last4: 'word' } as const),
  ...({
    amount: 'amount',
    currency: 'word',
    decimals: 'count',
    originalAmount: 'amount',
    originalCurrency: 'word',
    originalDecimals: 'count',
  } as const),
  ...({ heldAmount: 'amount', clearedAmount: 'amount', refundedAmount: 'amount' } as const),
  ...({ merchant: 'merchant', reason: 'word', challengeId: 'id', relatedPaymentId: 'id' } as const),
  // By which the processor, the network and the acquirer know it.
  ...({ processorTransactionId: 'id', networkTransactionId: 'id', authorizationCode: 'word' } as const),
  ...({ retrievalReference: 'id', acquirerReference: 'id' } as const),
} as const;
const disputeChange = { ...paymentChange, disputeId: 'id', stage: 'word' } as const;
const challengeChange = {
  ...({ challengeId: 'id', cardId: 'id', accountId: 'id', userId: 'id', status: 'word', last4: 'word' } as const),
  ...({ amount: 'amount', currency: 'word', decimals: 'count', merchant: 'merchant' } as const),
  ...({ createdAt: 'time', expiresAt: 'time', decision: 'word' } as const),
} as const;
const access = { cardId: 'id', userId: 'id' } as const;
const accountChange = { accountId: 'id', userId: 'id', status: 'word' } as const;
const transfer = { chainId: 'count', txHash: 'hash', logIndex: 'count', accountId: 'id', token: 'word', amount: 'amount' } as const;
const balance = { chainId: 'count', accountId: 'id', token: 'word', blockNumber: 'count' } as const;
const booked = { entryId: 'id', accountId: 'id', userId: 'id', transfers: 'transfers' } as const;
const held = { ...booked, holdId: 'id' } as const;
const moved = {
  ...({ accountId: 'id', userId: 'id', status: 'word', token: 'word', amount: 'amount', currency: 'word', decimals: 'count' } as const),
  txHash: 'hash',
} as const;
const ofEntry = { former: { entryId: 'id', accountId: 'id', transfers: 'transfers' } } as const;
const deposited = { ...deposit, ...ofEntry, fields: { depositId: 'id', ...moved } } as const;
const withdrawn = { ...withdrawal, ...ofEntry, fields: { withdrawalId: 'id', ...moved } } as const;

/** The catalogue: every type of events, by name. Types are added, never renamed or removed. */
export const EVENT_TYPES = {
  'user.registered': {
    number: 1,
    ...user,
    description: 'A person registered.',
    fields: { ...ofUser, accountId: 'id' },
  },
  'user.kyc_changed': {
    number: 2,
    ...user,
    description: 'The state of the identity check changed.',
    fields: { ...ofUser, status: 'word' },
    former: { ...ofUser, state: 'word' },
  },
  'user.wallet_added': { number: 3, ...user, description: 'The user has another wallet.', fields: { userId: 'id' } },
  'user.wallet_removed': { number: 4, ...user, description: 'A wallet of the user was removed.', fields: { userId: 'id' } },
  'user.primary_wallet_changed': { number: 5, ...user, description: 'Another wallet is the primary one.', fields: { userId: 'id' } },
  'user.erased': { number: 6, ...user, description: 'The user’s personal data was erased.', fields: ofUser },
  'user.card_limits_raising': {
    number: 7,
    ...user,
    description: 'Limits of a card are about to be raised, as a wallet of the user has signed; told before the change.',
    fields: { userId: 'id', last4: 'word' },
  },
  'user.card_controls_opening': {
    number: 8,
    ...user,
    description:
      'A card is about to be allowed for payments that its controls block, as a wallet of the user has signed; told before the change.',
    fields: { userId: 'id', last4: 'word' },
  },
  'user.signed_in_elsewhere': {
    number: 9,
    ...user,
    description: 'A wallet of the user signed in with a kind of browser or program in which it had no open session.',
    fields: { userId: 'id' },
  },
  'cardholder.created': {
    number: 10,
    ...cardholder,
    description: 'The user became a cardholder.',
    fields: { cardholderId: 'id', userId: 'id' },
  },
  'cardholder.phone_changed': {
    number: 11,
    ...cardholder,
    description: 'The phone number was changed or verified.',
    fields: { cardholderId: 'id', userId: 'id', phoneVerified: 'flag' },
  },
  'card.issued': { number: 20, ...card, description: 'A card was issued.', fields: ofCard },
  'card.frozen': { number: 21, ...card, description: 'The card was frozen.', fields: cardChange },
  'card.unfrozen': { number: 22, ...card, description: 'The card was unfrozen.', fields: cardChange },
  'card.lost': { number: 23, ...card, description: 'The card was reported lost.', fields: cardChange },
  'card.stolen': { number: 24, ...card, description: 'The card was reported stolen.', fields: cardChange },
  'card.cancelled': { number: 25, ...card, description: 'The card was cancelled.', fields: cardChange },
  'card.replaced': { number: 26, ...card, description: 'The card was replaced by another one.', fields: cardChange },
  'card.renewed': { number: 27, ...card, description: 'The card has a new expiry date.', fields: cardChange },
  'card.renamed': { number: 28, ...card, description: 'The card has another name or colour.', fields: cardChange },
  'payment.authorized': { number: 40, ...payment, description: 'An authorization was approved.', fields: paymentChange },
  'payment.declined': { number: 41, ...payment, description: 'A request of the network was declined.', fields: paymentChange },
  'payment.incremented': { number: 42, ...payment, description: 'An authorization was raised.', fields: paymentChange },
  'payment.verified': { number: 43, ...payment, description: 'A card was verified without an amount.', fields: paymentChange },
  'payment.balance_inquired': { number: 44, ...payment, description: 'A terminal asked for the balance.', fields: paymentChange },
  'payment.advised': { number: 45, ...payment, description: 'The network authorized on our behalf.', fields: paymentChange },
  'payment.reversed': { number: 46, ...payment, description: 'An authorization was reversed, in whole or in part.', fields: paymentChange },
  'payment.expired': { number: 47, ...payment, description: 'An authorization expired.', fields: paymentChange },
  'payment.cleared': { number: 48, ...payment, description: 'A payment was cleared, in whole or in part.', fields: paymentChange },
  'payment.force_posted': { number: 49, ...payment, description: 'A payment was cleared without authorization.', fields: paymentChange },
  'payment.refunded': { number: 50, ...payment, description: 'A merchant refunded a payment.', fields: paymentChange },
  'payment.refund_reversed': { number: 51, ...payment, description: 'A refund was taken back.', fields: paymentChange },
  'payment.related_refund': {
    number: 59,
    ...payment,
    description: 'A merchant refunded a payment under another transaction id.',
    fields: paymentChange,
  },
  'payment.related_refund_reversed': {
    number: 60,
    ...payment,
    description: 'A refund under another transaction id was taken back.',
    fields: paymentChange,
  },
  'payment.credited': { number: 52, ...payment, description: 'Money was pushed to the card.', fields: paymentChange },
  'payment.credit_announced': { number: 53, ...payment, description: 'A credit to the card was announced.', fields: paymentChange },
  'payment.announcement_reversed': { number: 68, ...payment, description: 'An announced credit was taken back.', fields: paymentChange },
  'payment.announcement_expired': { number: 69, ...payment, description: 'An announced credit has expired.', fields: paymentChange },
  'payment.correction_debited': { number: 54, ...payment, description: 'A correction debited the payment.', fields: paymentChange },
  'payment.correction_credited': { number: 55, ...payment, description: 'A correction credited the payment.', fields: paymentChange },
  'payment.second_presentment': { number: 61, ...payment, description: 'The acquirer presented the payment again.', fields: paymentChange },
  'payment.disputed': {
    number: 56,
    ...payment,
    description: 'The payment is disputed.',
    fields: { ...disputeChange, cardBlocked: 'flag' },
  },
  'payment.dispute_charged_back': { number: 62, ...payment, description: 'The issuer charged the payment back.', fields: disputeChange },
  'payment.dispute_represented': {
    number: 63,
    ...payment,
    description: 'The acquirer objected to the chargeback.',
    fields: disputeChange,
  },
  'payment.dispute_pre_arbitration': {
    number: 64,
    ...payment,
    description: 'The issuer objected to the representment.',
    fields: disputeChange,
  },
  'payment.dispute_arbitration': { number: 65, ...payment, description: 'The network decides on the dispute.', fields: disputeChange },
  'payment.dispute_won': { number: 57, ...payment, description: 'The dispute was decided for the cardholder.', fields: disputeChange },
  'payment.dispute_lost': { number: 58, ...payment, description: 'The dispute was decided against the cardholder.', fields: disputeChange },
  'payment.dispute_withdrawn': { number: 66, ...payment, description: 'The dispute was given up.', fields: disputeChange },
  'challenge.created': { number: 70, ...challenge, description: 'A 3-D Secure challenge waits for a decision.', fields: challengeChange },
  'challenge.decided': {
    number: 71,
    ...challenge,
    description: 'The cardholder decided; the signature is being checked.',
    fields: challengeChange,
  },
  'challenge.approved': { number: 72, ...challenge, description: 'The cardholder approved.', fields: challengeChange },
  'challenge.declined': { number: 73, ...challenge, description: 'The cardholder declined.', fields: challengeChange },
  'challenge.cancelled': { number: 74, ...challenge, description: 'The challenge was cancelled.', fields: challengeChange },
  'challenge.expired': { number: 75, ...challenge, description: 'The challenge expired.', fields: challengeChange },
  'challenge.failed': { number: 76, ...challenge, description: 'The decision could not be verified.', fields: challengeChange },
  'card_data.details_viewed': { number: 80, ...cardData, description: 'The card’s number was shown to the cardholder.', fields: access },
  'card_data.pin_viewed': { number: 81, ...cardData, description: 'The card’s PIN was shown to the cardholder.', fields: access },
  'card_data.pin_set': { number: 82, ...cardData, description: 'The cardholder set the PIN.', fields: access },
  'card_data.sealed': { number: 83, ...cardData, description: 'The card’s data was encrypted for the processor.', fields: access },
  'account.opened': { number: 90, ...account, description: 'An account was opened.', fields: accountChange },
  'account.activated': { number: 91, ...account, description: 'The account became active.', fields: accountChange },
  'account.blocked': { number: 92, ...account, description: 'The account was blocked.', fields: accountChange },
  'account.unblocked': { number: 93, ...account, description: 'The account was unblocked.', fields: accountChange },
  'account.closed': { number: 94, ...account, description: 'The account was closed.', fields: accountChange },
  'safe.changed': {
    number: 100,
    ...exception,
    description: 'Who controls the account’s Safe changed on the chain, or the issuer of a token has frozen it (`TOKEN_FROZEN`).',
    fields: { chainId: 'count', txHash: 'hash', accountId: 'id', userId: 'id', change: 'word' },
  },
  'recipient.requested': {
    number: 104,
    source: 'chain',
    subject: 'withdrawal_request',
    description: 'A withdrawal to an address was requested for the first time; the user should know of it.',
    fields: { accountId: 'id', userId: 'id', chainId: 'count', usableFrom: 'time' },
  },
  'backup_key.named': {
    number: 107,
    ...recovery,
    description: 'A backup key was named, which can exchange a lost owner of the Safe together with the platform.',
  },
  'recovery.requested': {
    number: 108,
    ...recovery,
    description: 'The exchange of the Safe’s owner by the backup key and the platform was requested; the user should know of it.',
  },
  'recovery.completed': { number: 109, ...recovery, description: 'The Safe’s owner was exchanged.' },
  'recovery.cancelled': { number: 112, ...recovery, description: 'The exchange of the Safe’s owner was stopped, or has expired.' },
  'transfer.refused': {
    number: 101,
    ...exception,
    internal: true,
    description: 'The ledger refused a transfer of the chain.',
    fields: { ...transfer, code: 'word' },
  },
  'transfer.left': { number: 102, ...exception, internal: true, description: 'Tokens left a Safe without an order.', fields: transfer },
  'transfer.vanished': {
    number: 103,
    ...exception,
    internal: true,
    description: 'A booked transfer is not on the chain any more.',
    fields: transfer,
  },
  'transfer.rejected': {
    number: 105,
    ...exception,
    internal: true,
    description: 'A rejected deposit stops the withdrawals of an account until a person decides.',
    fields: transfer,
  },
  'return.requested': {
    number: 106,
    ...exception,
    description: 'The operator asks the user to sign the return of a rejected deposit to its sender.',
    fields: { accountId: 'id', userId: 'id', chainId: 'count', token: 'word', amount: 'amount' },
  },
  'balance.differed': {
    number: 110,
    ...difference,
    description: 'Chain and ledger disagree about a balance.',
    fields: { ...balance, unseen: 'amount', unbooked: 'amount' },
  },
  'balance.agreed': { number: 111, ...difference, description: 'Chain and ledger agree about a balance again.', fields: balance },
  'watch.halted': {
    number: 120,
    ...watch,
    description: 'Watching a chain was halted.',
    fields: { chainId: 'count', blockNumber: 'count', bookedHash: 'hash', foundHash: 'hash' },
  },
  'watch.resumed': {
    number: 121,
    ...watch,
    description: 'Watching a chain was resumed.',
    fields: { chainId: 'count', blockNumber: 'count', bookedTo: 'count', vanished: 'count' },
  },
  'deposit.seen': { number: 130, ...deposited, description: 'A deposit was seen on the chain.' },
  'deposit.approved': { number: 131, ...deposited, description: 'A deposit was approved and credited.' },
  'deposit.rejected': { number: 132, ...deposited, description: 'A deposit was rejected by screening.' },
  'deposit.reversed': { number: 133, ...deposited, description: 'A deposit was taken back.' },
  'withdrawal.created': { number: 140, ...withdrawn, description: 'Money was set aside for a withdrawal.' },
  'withdrawal.processing': { number: 141, ...withdrawn, description: 'A withdrawal is being carried out.' },
  'withdrawal.completed': { number: 142, ...withdrawn, description: 'A withdrawal was completed.' },
  'withdrawal.failed': { number: 143, ...withdrawn, description: 'A withdrawal failed, and the money is back.' },
  'hold.created': { number: 150, ...entry, description: 'Money was set aside.', fields: held },
  'hold.posted': { number: 151, ...entry, description: 'Held money was taken, in whole or in part.', fields: held },
  'hold.voided': { number: 152, ...entry, description: 'Held money was returned.', fields: held },
  'hold.expired': { number: 153, ...entry, description: 'Held money was returned because the hold expired.', fields: held },
  'hold.increased': { number: 154, ...entry, description: 'More money was set aside for a hold.', fields: held },
  'hold.decreased': { number: 155, ...entry, description: 'A part of held money was returned.', fields: held },
  'hold.extended': { number: 156, ...entry, description: 'A hold expires later.', fields: held },
  'entry.transferred': { number: 160, ...entry, description: 'Money was moved on the order of the platform.', fields: booked },
  'entry.reversed': {
    number: 161,
    ...entry,
    description: 'An entry was taken back, in whole or in part.',
    fields: { ...booked, reverses: 'id' },
  },
} as const satisfies Readonly<Record<string, EventType>>;

/** Name of a type of the catalogue. */
export type EventTypeName = keyof typeof EVENT_TYPES;

/** Reports whether a text is a type of the catalogue. */
export const isEventType = (text: string): text is EventTypeName => Object.hasOwn(EVENT_TYPES, text);

/** Returns a type of the catalogue. */
export const eventTypeOf = (name: EventTypeName): EventType => EVENT_TYPES[name];
