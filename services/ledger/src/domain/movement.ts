import type { Entry } from './entry.ts';
import { positionOf } from './position.ts';

export type DepositStatus = 'pending' | 'approved' | 'rejected' | 'reversed';
export type WithdrawalStatus = 'pending' | 'processing' | 'completed' | 'failed';
export type MovementStatus = DepositStatus | WithdrawalStatus;

/** Result of transaction screening (know your transaction). */
export type Kyt = { result: string; riskScore: number; riskTier: string };

/** The result for a deposit that is too small to be screened. */
export const BELOW_MINIMUM = 'below_minimum';

/** A deposit or a withdrawal as lists show it: a projection of the journal's entries about it. */
export type Movement = {
  id: string;
  accountId: string;
  /** Empty for a withdrawal whose transaction is not known yet. */
  txHash: string;
  /** Deposits only. */
  logIndex: number;
  token: string;
  /** Integer string in the token's smallest unit. */
  amount: string;
  /** The token's decimals and currency when it was booked: a later change of the configuration rewrites no history. */
  decimals: number;
  currency: string;
  status: MovementStatus;
  /** How far `status` is on its way. Only grows, so that changes can be applied twice and by two projectors. */
  stage: number;
  kyt?: Kyt;
  /** Withdrawals only: EIP-55 address of the receiver, when it was given. */
  to?: string;
  /** Deposits only: EIP-55 address of the sender, when it was given. */
  from?: string;
  createdAt: Date;
  /** Deposits only: when it was approved or rejected. Absent, like the other times, from rows that earlier releases have written. */
  resolvedAt?: Date;
  /** Deposits only: the actor who approved or rejected it in the place of the screening. Absent from rows that earlier releases have written. */
  resolvedBy?: string;
  /** Deposits only: when it was taken back. */
  reversedAt?: Date;
  /** Withdrawals only: when it was sent. */
  processingAt?: Date;
  /** Withdrawals only: when it was completed or has failed. */
  endedAt?: Date;
  /** Withdrawals only: the code by which it has failed, when one was reported. */
  reason?: string;
  /** Place of the creating entry in the journal: newest first is highest first, and nothing is ever inserted in between. */
  position: number;
  /** Block that set `status`. */
  asOf: number;
};

export type MovementList = 'deposits' | 'withdrawals';

/** Selects movements of a list. No states, an empty text or no time: all. */
export type MovementFilter = {
  statuses: readonly MovementStatus[];
  token: string;
  currency: string;
  /** Created at or after this time. */
  from?: Date | undefined;
  /** Created before this time. */
  to?: Date | undefined;
};

/** When a movement has reached its states. */
type MovementTimes = Pick<Movement, 'resolvedAt' | 'reversedAt' | 'processingAt' | 'endedAt'>;

export type MovementUpdate = { id: string; txHash?: string } & Pick<
  Movement,
  'status' | 'stage' | 'asOf' | 'kyt' | 'reason' | 'resolvedBy'
> &
  MovementTimes;

/** The changes of an entry to the projections. */
export type MovementChange =
  | { list: MovementList; kind: 'created'; movement: Movement }
  | { list: MovementList; kind: 'updated'; update: MovementUpdate };

/** Facts of the entry that ends a movement, for the statement and for events, so that they need no other entry. */
export const statementFacts = ({ txHash, decimals, currency }: Movement): Record<string, string> => ({
  txHash,
  decimals: decimals.toString(),
  currency,
});

/** Where an entry stands. */
export type Place = { n: number; index: number; at: Date };

/** A fact that the entry's builder put there. */
const fact = (entry: Entry, name: string): string => {
  const value = entry.data[name];
  if (value === undefined) throw new Error(`${entry.id} lacks ${name}`);
  return value;
};

const created = (list: MovementList, entry: Entry, { n, index, at }: Place): MovementChange => ({
  list,
  kind: 'created',
  movement: {
    id: fact(entry, 'movementId'),
    accountId: entry.accountId,
    txHash: fact(entry, 'txHash'),
    logIndex: Number(entry.data['logIndex'] ?? 0),
    token: fact(entry, 'token'),
    amount: fact(entry, 'amount'),
    decimals: Number(fact(entry, 'decimals')),
    currency: fact(entry, 'currency'),
    status: 'pending',
    stage: 0,
    createdAt: at,
    position: positionOf(n, index),
    asOf: n,
    ...(entry.data['to'] === undefined ? {} : { to: entry.data['to'] }),
    ...(entry.data['from'] === undefined ? {} : { from: entry.data['from'] }),
  },
});

const kytOf = ({ data }: Entry): { kyt?: Kyt } => {
  const { kytResult: result, kytRiskScore, kytRiskTier: riskTier } = data;
  if (result === undefined || kytRiskScore === undefined || riskTier === undefined) return {};
  return { kyt: { result, riskScore: Number(kytRiskScore), riskTier } };
};

const txHashOf = (list: MovementList, { data }: Entry): { txHash?: string } => {
  const { txHash } = data;
  return list === 'deposits' || txHash === undefined || txHash === '' ? {} : { txHash };
};

const TIME_OF = {
  approved: 'resolvedAt',
  rejected: 'resolvedAt',
  reversed: 'reversedAt',
  processing: 'processingAt',
  completed: 'endedAt',
  failed: 'endedAt',
} as const satisfies Partial<Record<MovementStatus, keyof MovementTimes>>;

/** The actor of an entry that resolves a deposit. */
const resolverOf = ({ data: { actor } }: Entry, status: MovementStatus): { resolvedBy?: string } =>
  actor === undefined || (status !== 'approved' && status !== 'rejected') ? {} : { resolvedBy: actor };

const failureOf = ({ data: { failure } }: Entry): { reason?: string } => (failure === undefined ? {} : { reason: failure });

const updated = (list: MovementList, entry: Entry, { n, at }: Place, status: keyof typeof TIME_OF, stage: number): MovementChange => ({
  list,
  kind: 'updated',
  update: {
    ...{ id: fact(entry, 'movementId'), status, stage, asOf: n },
    [TIME_OF[status]]: at,
    ...failureOf(entry),
    ...resolverOf(entry, status),
    ...kytOf(entry),
    ...txHashOf(list, entry),
  },
});

/** The change that an entry makes to a movement; undefined when it is about something else. */
export const movementChange = (entry: Entry, place: Place): MovementChange | undefined => {
  switch (entry.kind) {
    case 'deposit.seen':
      return created('deposits', entry, place);
    case 'deposit.approved':
      return updated('deposits', entry, place, 'approved', 1);
    case 'deposit.rejected':
      return updated('deposits', entry, place, 'rejected', 1);
    case 'deposit.reversed':
      return updated('deposits', entry, place, 'reversed', 2);
    case 'withdrawal.created':
      return created('withdrawals', entry, place);
    case 'withdrawal.processing':
      return updated('withdrawals', entry, place, 'processing', 1);
    case 'withdrawal.completed':
      return updated('withdrawals', entry, place, 'completed', 2);
    case 'withdrawal.failed':
      return updated('withdrawals', entry, place, 'failed', 2);
    default:
      return undefined;
  }
};

/** Key under which changes of one movement meet. */
export const movementKey = (list: MovementList, id: string): string => `${list}/${id}`;

export const keyOfChange = (change: MovementChange): string =>
  movementKey(change.list, change.kind === 'created' ? change.movement.id : change.update.id);

/** A movement after a change. Changes that it has seen already leave it as it is. */
export const applyChange = (movement: Movement | undefined, change: MovementChange): Movement | undefined => {
  if (change.kind === 'created') return movement ?? change.movement;
  if (movement === undefined || movement.stage >= change.update.stage) return movement;
  return { ...movement, ...change.update };
};
