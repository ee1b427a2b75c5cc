import { createBatchedInserts, createBatchedReads, rawCollection } from '@florin/data/store';
import { type Model, mongo } from 'mongoose';
import { DECLINE_CODES } from '../domain/decline-codes.ts';
import { type Dispute, stepOf } from '../domain/dispute.ts';
import { type Billing, paymentEventOf } from '../domain/events.ts';
import {
  outcomeOf,
  type Payment,
  type PaymentKind,
  type PaymentOutcome,
  type PaymentStatus,
  paymentAmount,
  paymentStatus,
} from '../domain/payment.ts';
import { fromStored, toStored } from './amount-fields.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';
import type { PaymentDocument } from './payment-model.ts';

export type PaymentQuery = {
  limit: number;
  /** Only payments with a list id below this. */
  before?: string | undefined;
  cardId?: string | undefined;
  status?: PaymentStatus | undefined;
  kind?: PaymentKind | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  currency?: string | undefined;
  /** Merchant category codes and ranges of them, separated by commas. */
  categoryCode?: string | undefined;
  /** Only payments with a dispute. */
  disputed?: true | undefined;
  /** Only the payment of this dispute. */
  disputeId?: string | undefined;
  /** Only payments with a dispute of this status. */
  disputeStatus?: string | undefined;
  /** Only payments whose merchant's name contains this text, in any case. */
  merchantName?: string | undefined;
};

/** A payment in a list, with its position. */
export type ListedPayment = Payment & { listId: string };

/** The counts of one outcome. */
const MAX_COUNTED = 1_000_000;

/** Where a payment keeps its disputes. */
const DISPUTE_FIELDS = ['dispute', 'earlierDisputes'] as const;

/** A regular expression that matches a text alone. */
const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Codes have four digits, so that texts are in the order of their numbers. */
const inCategory = (codes: string) =>
  codes.split(',').map((range) => {
    const [first, last = first] = range.split('-');
    return { 'merchant.categoryCode': { $gte: first, $lte: last } };
  });

/** The conditions on the disputes of a payment; undefined without any. */
const inDispute = ({ disputeId, disputeStatus }: Pick<PaymentQuery, 'disputeId' | 'disputeStatus'>) => {
  const conditions = [
    ['id', disputeId],
    ['status', disputeStatus],
  ].flatMap(([name, value]) => (value === undefined ? [] : [{ $or: DISPUTE_FIELDS.map((field) => ({ [`${field}.${name}`]: value })) }]));
  return conditions.length === 0 ? undefined : conditions;
};

const DECLINES = Object.keys(DECLINE_CODES) as readonly PaymentOutcome[];
const OUTCOMES: readonly PaymentOutcome[] = ['approved', ...DECLINES];

/** The payments of an interval: the numbers of approved and of declined ones, each counted up to a million, and the sum of the approved ones. */
type PaymentVolume = { approved: number; amount: bigint; declined: number };

/** Earlier releases kept the expiry of an announced credit where that of a hold is kept. */
const withOwnExpiry = (payment: ListedPayment): ListedPayment => {
  const { expiresAt, holdId, pendingCredit, ...rest } = payment;
  const isOfCredit = expiresAt !== undefined && holdId === undefined && pendingCredit > 0n;
  return isOfCredit ? { ...rest, pendingCredit, creditExpiresAt: expiresAt } : payment;
};

const toPayment = (document: PaymentDocument): ListedPayment => {
  const {
    _id,
    status: _status,
    outcome: _outcome,
    volume: _volume,
    originalCurrency: _currency,
    effectsSince: _since,
    untold: _untold,
    outbox: _events,
    relayed: _relayed,
    ...rest
  } = document;
  return withOwnExpiry({ id: _id, ...fromStored<Omit<ListedPayment, 'id'>>(rest) });
};

const derived = (payment: Payment) => {
  const currency = payment.events.find((event) => event.currency !== undefined)?.currency;
  const outcome = outcomeOf(payment);
  return {
    status: paymentStatus(payment),
    ...(outcome === undefined ? {} : { outcome }),
    ...(outcome === 'approved' ? { volume: mongo.Long.fromBigInt(paymentAmount(payment)) } : {}),
    ...(currency === undefined ? {} : { originalCurrency: currency }),
  };
};

/** The fields that change with an event, without the lists that grow. A note changes by itself. */
const scalars = ({ id: _id, events: _events, effects: _effects, ledgerEntries: _entries, otherIds: _ids, note: _note, ...rest }: Payment) =>
  rest;

const absent = <K extends keyof Payment>(payment: Payment, names: readonly K[]) =>
  Object.fromEntries(names.filter((name) => payment[name] === undefined).map((name) => [name, '']));

/** Reports whether events after the first `before` ones are steps of disputes, of which the processor is told. */
const tells = (before: number, { events }: Payment): boolean =>
  events.slice(before).some(({ type }) => type !== 'second_presentment' && stepOf(type) !== undefined);

const present = (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Card transactions. Each mutation is one conditional write to one document. */
export const createPaymentStore = (model: Model<PaymentDocument>, stamp: Stamp, billing: Billing) => {
  const collection = rawCollection(model);
  const insert = createBatchedInserts(collection);
  const read = createBatchedReads(collection);

  const find = async (id: string): Promise<Payment | undefined> => {
    const found = await read(id);
    return found === undefined ? undefined : toPayment(found);
  };

  const list = async (filter: mongo.Filter<PaymentDocument>, sort: mongo.Sort, limit: number): Promise<ListedPayment[]> =>
    (await collection.find(filter).sort(sort).limit(limit).toArray()).map(toPayment);

  /** Up to `limit` payments that one of these filters finds, newest first. */
  const firstOf = async (filters: readonly object[], limit: number): Promise<ListedPayment[]> => {
    const found = await Promise.all(filters.map((filter) => list(filter as mongo.Filter<PaymentDocument>, { listId: -1 }, limit)));
    const once = new Map(found.flat().map((payment) => [payment.listId, payment]));
    const newestFirst = [...once.keys()].toSorted().reverse();
    return newestFirst.slice(0, limit).flatMap((listId) => once.get(listId) ?? []);
  };

  const published = (before: number, { events, ...payment }: Payment) =>
    events.slice(before).flatMap((event) => {
      const told = paymentEventOf({ events, ...payment }, event, billing);
      return told === undefined ? [] : [outboxEvent(stamp, told)];
    });

  return {
    find,

    findMany: async (ids: readonly string[]): Promise<Payment[]> =>
      (await Promise.all(ids.map(find))).filter((found) => found !== undefined),

    /**
     * Stores what was recorded on a payment since `current`, with the events of the outbox.
     * @param current the payment as it was read; undefined for a new one
     * @returns false if the payment has changed in the meantime: nothing is written
     */
    save: async (current: Payment | undefined, next: Payment): Promise<boolean> => {
      const { id, ...body } = next;
      if (current === undefined) {
        const since = next.effects.length === 0 ? {} : { effectsSince: stamp.now() };
        const document = { _id: id, ...toStored(body), ...derived(next), ...since, listId: stamp.newId(), outbox: published(0, next) };
        return insert(document as PaymentDocument);
      }
      const known = new Set(current.effects.map((effect) => effect.id));
      const added = next.effects.filter((effect) => !known.has(effect.id));
      const { modifiedCount } = await collection.updateOne({ _id: id, revision: current.revision }, {
        $set: {
          ...toStored(scalars(next)),
          ...derived(next),
          ...(added.length === 0 ? {} : { effectsSince: stamp.now() }),
          ...(tells(current.events.length, next) ? { untold: { dueAt: stamp.now(), attempts: 0 } } : {}),
        },
        $push: {
          events: { $each: toStored(next.events.slice(current.events.length)) },
          effects: { $each: toStored(added) },
          outbox: { $each: published(current.events.length, next) },
        },
        $addToSet: {
          ledgerEntries: { $each: next.ledgerEntries },
          ...(next.otherIds === undefined ? {} : { otherIds: { $each: next.otherIds } }),
        },
        $unset: absent(next, ['expiresAt', 'creditExpiresAt', 'ended', 'undone', 'holdId']),
      } as unknown as mongo.UpdateFilter<PaymentDocument>);
      return modifiedCount === 1;
    },

    /** Replaces the note on a payment; an empty one removes it. */
    setNote: async (id: string, note: string): Promise<void> => {
      await collection.updateOne(
        { _id: id },
        (note === '' ? { $unset: { note: '' } } : { $set: { note } }) as mongo.UpdateFilter<PaymentDocument>,
      );
    },

    /** Removes all notes of a user. */
    eraseNotes: async (userId: string): Promise<void> => {
      await collection.updateMany({ userId }, { $unset: { note: '' } } as mongo.UpdateFilter<PaymentDocument>);
    },

    /** Marks effects as carried out, with the ledger's ids of what they have caused. */
    confirm: async (id: string, effectIds: readonly string[], ledgerEntries: readonly string[]): Promise<void> => {
      await collection.updateOne({ _id: id }, {
        $pull: { effects: { id: { $in: effectIds } } },
        $addToSet: { ledgerEntries: { $each: ledgerEntries } },
      } as unknown as mongo.UpdateFilter<PaymentDocument>);
      await collection.updateOne({ _id: id, effects: { $size: 0 } }, { $unset: { effectsSince: '' } });
    },

    /** Payments whose effects were written before `before`, oldest first. */
    findWithEffects: (before: Date, limit: number): Promise<Payment[]> =>
      list({ effectsSince: { $lt: before } } as mongo.Filter<PaymentDocument>, { effectsSince: 1 }, limit),

    /** Moves a payment to the end of the sweeper's queue. */
    postpone: async (id: string, now: Date): Promise<void> => {
      await collection.updateOne(
        { _id: id, effectsSince: { $exists: true } } as mongo.Filter<PaymentDocument>,
        { $set: { effectsSince: now } } as never,
      );
    },

    /** Up to `limit` payments whose hold has expired at `now`, and as many whose announced credit has, oldest first; of the given cards, if any are given. */
    findExpired: async (now: Date, limit: number, cardIds?: readonly string[]): Promise<Payment[]> => {
      const ofCards = cardIds === undefined ? {} : { cardId: { $in: cardIds } };
      const due = (field: 'expiresAt' | 'creditExpiresAt') =>
        list({ [field]: { $exists: true, $lte: now }, ...ofCards } as mongo.Filter<PaymentDocument>, { [field]: 1 }, limit);
      return [...(await due('expiresAt')), ...(await due('creditExpiresAt'))];
    },

    /** The newest payments of these cards since a time, at most 200: candidates for an event without a transaction id. */
    findRecent: (cardIds: readonly string[], since: Date): Promise<Payment[]> =>
      list({ cardId: { $in: cardIds }, createdAt: { $gte: since } } as mongo.Filter<PaymentDocument>, { createdAt: -1 }, 200),

    /** Up to `limit` payments, newest first: those with these ids, and those that this names: as retrieval reference, authorization code or id of the transaction. */
    findByReference: (reference: string, ids: readonly string[], limit: number): Promise<Payment[]> => {
      const fields = ['retrievalReference', 'authorizationCode', 'networkTransactionId', 'otherIds'];
      return firstOf([{ _id: { $in: [...ids] } }, ...fields.map((field) => ({ [field]: reference }))], limit);
    },

    /** Payments, at most 1000, with an event of one of these acquirer references, or with a later event of one of these ids of transactions. */
    findPresented: (references: readonly string[], transactionIds: readonly string[]): Promise<Payment[]> => {
      const named = { 'events.network.acquirerReference': references, otherIds: transactionIds };
      const filters = Object.entries(named).flatMap(([field, names]) => (names.length === 0 ? [] : [{ [field]: { $in: [...names] } }]));
      return firstOf(filters, 1000);
    },

    /** Up to `limit` payments of all users that have changed since a time, by id. @param after the id below which they were read before */
    pageOfAll: (since: Date | undefined, after: string | undefined, limit: number): Promise<Payment[]> =>
      list(
        present({
          _id: after === undefined ? undefined : { $gt: after },
          updatedAt: since === undefined ? undefined : { $gte: since },
        }) as mongo.Filter<PaymentDocument>,
        { _id: 1 },
        limit,
      ),

    /** The user's payments that caused one of these entries of the ledger. */
    findByEntries: (userId: string, entries: readonly string[]): Promise<Payment[]> =>
      list({ userId, ledgerEntries: { $in: entries } } as mongo.Filter<PaymentDocument>, { listId: -1 }, entries.length),

    /** The user's refunds, at most 1000, that refund this payment under transaction ids of their own. */
    findRefundsOf: ({ userId, id }: Pick<Payment, 'userId' | 'id'>): Promise<Payment[]> =>
      list({ userId, relatedPaymentId: id, _id: { $ne: id } } as mongo.Filter<PaymentDocument>, { listId: -1 }, 1000),

    /** An account's newest payments, at most 20, that the card network calls so: by authorization code, or else by retrieval reference. */
    findByNetworkReference: async (
      accountId: string,
      { authorizationCode, retrievalReference }: { authorizationCode?: string | undefined; retrievalReference?: string | undefined },
    ): Promise<Payment[]> => {
      const name = authorizationCode === undefined ? { retrievalReference } : { authorizationCode };
      return list({ ...name, accountId } as mongo.Filter<PaymentDocument>, { listId: -1 }, 20);
    },

    /** An account's newest payments, at most 20, of the transaction that the card network calls so, or of which a later event had this id, by the processor or the network. */
    findByTransaction: (accountId: string, id: string): Promise<Payment[]> =>
      firstOf(
        [
          { networkTransactionId: id, accountId },
          { otherIds: id, accountId },
        ],
        20,
      ),

    /** Of the user's payments for which money was taken, or was to be, the newest one and the one that was cleared last. */
    findLatestCharges: async (userId: string): Promise<Payment[]> => {
      const filter = { userId, kind: { $in: ['payment', 'atm'] }, status: { $ne: 'declined' } } as mongo.Filter<PaymentDocument>;
      const [newest, cleared] = await Promise.all([
        list(filter, { listId: -1 }, 1),
        list({ ...filter, clearedAt: { $exists: true } }, { clearedAt: -1 }, 1),
      ]);
      return [...newest, ...cleared];
    },

    /** True if a dispute about one of the user's payments is undecided. */
    hasOpenDispute: async (userId: string): Promise<boolean> => {
      const filters = DISPUTE_FIELDS.map((field) => ({ userId, [`${field}.status`]: 'submitted' }) as mongo.Filter<PaymentDocument>);
      return (await Promise.all(filters.map((filter) => list(filter, { listId: -1 }, 1)))).some((found) => found.length > 0);
    },

    /** Up to `limit` payments with a dispute of this status, newest first, with list ids below `before`. */
    findDisputed: async (status: Dispute['status'], limit: number, before: string | undefined): Promise<ListedPayment[]> =>
      firstOf(
        DISPUTE_FIELDS.map((field) => ({ [`${field}.status`]: status, ...(before === undefined ? {} : { listId: { $lt: before } }) })),
        limit,
      ),

    /** Payments of whose disputes the processor is to be told by `now`, the longest due first, and how often that has failed. */
    findUntold: async (now: Date, limit: number): Promise<{ item: Payment; attempts: number }[]> => {
      const found = await collection
        .find({ 'untold.dueAt': { $exists: true, $lte: now } } as mongo.Filter<PaymentDocument>)
        .sort({ 'untold.dueAt': 1 })
        .limit(limit)
        .toArray();
      return found.map((document) => ({ item: toPayment(document), attempts: document.untold?.attempts ?? 0 }));
    },

    /** Records that the processor knows of the payment's disputes at this revision; without effect when the payment has changed since. */
    confirmTold: async ({ id, revision }: Payment): Promise<void> => {
      await collection.updateOne({ _id: id, revision }, { $unset: { untold: '' } });
    },

    /** Postpones the next attempt to tell the processor; without effect when the payment has changed since. */
    postponeTelling: async ({ id, revision }: Payment, dueAt: Date): Promise<void> => {
      await collection.updateOne(
        { _id: id, revision, untold: { $exists: true } } as mongo.Filter<PaymentDocument>,
        { $set: { 'untold.dueAt': dueAt }, $inc: { 'untold.attempts': 1 } } as never,
      );
    },

    /**
     * How many payments from a time until before another have each outcome, each counted up to a million. The counts are made one after another: an overview
     * does not take the connections that authorizations need.
     */
    countOutcomes: async (from: Date, to: Date): Promise<Map<PaymentOutcome, number>> => {
      const counts = new Map<PaymentOutcome, number>();
      for (const outcome of OUTCOMES) {
        const filter = { outcome, createdAt: { $gte: from, $lt: to } } as mongo.Filter<PaymentDocument>;
        counts.set(outcome, await collection.countDocuments(filter, { limit: MAX_COUNTED }));
      }
      return counts;
    },

    /** The payments from a time until before another, added up. */
    volume: async (from: Date, to: Date): Promise<PaymentVolume> => {
      const createdAt = { $gte: from, $lt: to };
      const [sum] = await collection
        .aggregate<{ approved: number; amount: number | mongo.Long }>([
          { $match: { outcome: 'approved', createdAt } },
          { $limit: MAX_COUNTED },
          { $group: { _id: null, approved: { $sum: 1 }, amount: { $sum: '$volume' } } },
        ])
        .toArray();
      const declines = { outcome: { $in: DECLINES }, createdAt } as mongo.Filter<PaymentDocument>;
      const declined = await collection.countDocuments(declines, { limit: MAX_COUNTED });
      return { approved: sum?.approved ?? 0, amount: BigInt(String(sum?.amount ?? 0)), declined };
    },

    /** Up to `limit` of the user's payments, newest first. */
    page: (userId: string, { limit, before, from, to, cardId, status, kind, currency, categoryCode, disputed, ...more }: PaymentQuery) =>
      list(
        present({
          userId,
          cardId,
          status,
          kind,
          originalCurrency: currency,
          $or: categoryCode === undefined ? undefined : inCategory(categoryCode),
          // The latest dispute of a payment: there is none before it without it.
          'dispute.status': disputed && { $exists: true },
          'merchant.name': more.merchantName === undefined ? undefined : { $regex: asPattern(more.merchantName), $options: 'i' },
          $and: inDispute(more),
          listId: before === undefined ? undefined : { $lt: before },
          createdAt: from === undefined && to === undefined ? undefined : present({ $gte: from, $lt: to }),
        }) as mongo.Filter<PaymentDocument>,
        { listId: -1 },
        limit,
      ),
  };
};

export type PaymentStore = ReturnType<typeof createPaymentStore>;
