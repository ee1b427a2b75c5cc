import type { FieldCipher } from '@florin/data/encryption';
import { createBatchedInserts, PROVEN, rawCollection } from '@florin/data/store';
import { createCoalescer, SHARED_SPACING_MS } from '@florin/rpc/coalesce';
import { type Connection, Schema } from 'mongoose';
import type { SignIn } from '../domain/new-device.ts';
import type { RotationState } from '../domain/refresh-rules.ts';

/** A signed-in wallet at one partner. */
export type Session = RotationState & {
  id: string;
  /** EIP-55. */
  wallet: string;
  partnerId: string;
  /** Epoch of the wallet in which the session was opened; 0 when it is absent. */
  epoch?: number | undefined;
  /** Makes the refresh tokens of this session differ from those of every other session that uses the same key. */
  salt: string;
  /** Thumbprint of the client's key to which the session is bound (RFC 9449); absent when it is not bound. Never changes. */
  jkt?: string | undefined;
  createdAt: Date;
  lastUsedAt: Date;
  userAgent?: string | undefined;
  ip?: string | undefined;
};

type Document = Omit<Session, 'id'> & {
  _id: string;
  /** True if the session is not revoked. It may have expired. Part of the index, so that revoked sessions cost nothing. */
  open?: boolean | undefined;
  /** Revoked, and not yet announced to other processes. */
  unannounced?: boolean | undefined;
};

/** Owner of sessions: wallets at one partner, each in its current epoch. */
export type SessionOwner = { wallets: readonly { address: string; epoch: number }[]; partnerId: string };

/** Most sessions that one query reads to count those of concurrent sign-ins. Each has some twenty of them at most; the next sign-in counts again. */
const MAX_COUNTED_AT_ONCE = 5000;

/** Most sessions that a sign-in is compared with: those of a day, for whoever signs in every ten minutes. */
const MAX_COMPARED = 150;

/** Most sessions that one call revokes beyond a limit. A wallet exceeds its limit by a few concurrent sign-ins at most. */
const MAX_REVOKED_AT_ONCE = 100;

const schema = new Schema<Document>(
  {
    _id: String,
    wallet: { type: String, required: true },
    partnerId: { type: String, required: true },
    epoch: { type: Number, default: 0 },
    open: Boolean,
    salt: { type: String, required: true },
    jkt: String,
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    rotatedAt: Date,
    expiresAt: { type: Date, required: true },
    revokedAt: Date,
    unannounced: Boolean,
    userAgent: String,
    // Encrypted.
    ip: String,
  },
  { collection: 'sessions', versionKey: false },
);
schema.index({ expiresAt: 1 });
const byWallet = { wallet: 1, partnerId: 1, epoch: 1, open: 1, _id: -1 } as const;
schema.index(byWallet);
schema.index({ revokedAt: 1 }, { sparse: true });
schema.index({ unannounced: 1 }, { sparse: true });

export type SessionStore = {
  add: (session: Session) => Promise<void>;
  find: (id: string) => Promise<Session | undefined>;
  /** The same, of all that was acknowledged, also right after an election. Slower. */
  findProven: (id: string) => Promise<Session | undefined>;
  /**
   * Moves the session from `generation` to the next one. Returns false when it is at another generation, revoked or expired, so that
   * one of two concurrent refreshes wins.
   */
  rotate: (id: string, generation: number, now: Date, expiresAt: Date) => Promise<boolean>;
  /** Revokes the session and marks it as unannounced in the same write. */
  revoke: (id: string, now: Date) => Promise<void>;
  /**
   * Revokes an owner's usable sessions except the newest `keep`, at most 100 at once.
   * @returns their ids
   */
  revokeBeyond: (owner: SessionOwner, keep: number, now: Date) => Promise<string[]>;
  /** The latest sign-ins with these wallets at a partner, oldest first, also those whose session has ended and is still stored. */
  signIns: (wallets: readonly string[], partnerId: string) => Promise<SignIn[]>;
  /** Erases the network addresses and user agents of all sessions of these wallets at a partner. */
  forgetOrigins: (wallets: readonly string[], partnerId: string) => Promise<void>;
  /** Revoked sessions that are not announced yet. */
  unannounced: (limit: number) => Promise<string[]>;
  markAnnounced: (ids: readonly string[]) => Promise<void>;
  /** Sessions revoked after `time` that were used after `usedAfter`, at most `limit`. */
  revokedAfter: (time: Date, usedAfter: Date, limit: number) => Promise<string[]>;
  /** An owner's usable sessions, newest first. @param page `before` is the id of the last session on the previous page */
  page: (owner: SessionOwner, page: { limit: number; before?: string | undefined }, now: Date) => Promise<Session[]>;
};

/** A revoked session is of no further use, so its document is removed a day later. */
const revocation = (now: Date) => ({ $set: { revokedAt: now, unannounced: true, expiresAt: now }, $unset: { open: 1 as const } });

/** An owner's sessions that can be refreshed. */
const usable = ({ wallets, partnerId }: SessionOwner, now: Date) => ({
  $or: wallets.map(({ address, epoch }) => ({ wallet: address, partnerId, epoch, open: true })),
  expiresAt: { $gt: now },
});

type OpenSession = Pick<Document, '_id' | 'wallet' | 'partnerId' | 'epoch' | 'expiresAt'>;

/** `usable` of a session that is not revoked. */
const isUsable = ({ wallet, partnerId, epoch = 0, expiresAt }: OpenSession, owner: SessionOwner, now: Date): boolean =>
  partnerId === owner.partnerId && expiresAt > now && owner.wallets.some((one) => one.address === wallet && one.epoch === epoch);

export const createSessionStore = (connection: Connection, cipher: FieldCipher): SessionStore => {
  const model = connection.model<Document>('Session', schema);
  const collection = rawCollection(model);
  const insert = createBatchedInserts(collection);
  const ipOf = (id: string) => ({ collection: 'sessions', id, field: 'ip' });
  const toSession = ({ _id, unannounced: _, open: _open, ip, ...session }: Document): Session => ({
    id: _id,
    ...session,
    ...(ip === undefined ? {} : { ip: cipher.decrypt(ip, ipOf(_id)) }),
  });
  /** Concurrent sign-ins share the query, which finds more than an owner's own sessions. */
  const findOpen = async (owners: readonly SessionOwner[]): Promise<OpenSession[]> => {
    const wallets = owners.flatMap((owner) => owner.wallets);
    const selection = {
      wallet: { $in: [...new Set(wallets.map(({ address }) => address))] },
      epoch: { $in: [...new Set(wallets.map(({ epoch }) => epoch))] },
      open: true,
    };
    const projection = { wallet: 1, partnerId: 1, epoch: 1, expiresAt: 1 } as const;
    return collection.find(selection, { projection }).sort({ _id: -1 }).limit(MAX_COUNTED_AT_ONCE).toArray();
  };

  const revokeBeyond = createCoalescer<{ owner: SessionOwner; keep: number; now: Date }, string[]>({
    maxCalls: 2,
    maxItems: 50,
    spacingMs: SHARED_SPACING_MS,
    send: async (requests) => {
      const open = await findOpen(requests.map(({ owner }) => owner));
      const beyond = requests.map(({ owner, keep, now }) =>
        open
          .filter((session) => isUsable(session, owner, now))
          .slice(keep, keep + MAX_REVOKED_AT_ONCE)
          .map(({ _id }) => _id),
      );
      const ids = [...new Set(beyond.flat())];
      const [first] = requests;
      if (ids.length > 0 && first !== undefined) await model.updateMany({ _id: { $in: ids }, revokedAt: null }, revocation(first.now));
      return beyond;
    },
  });

  const find = async (id: string, options = {}): Promise<Session | undefined> => {
    const found = await model.findById(id, undefined, options).lean();
    return found === null ? undefined : toSession(found);
  };

  return {
    add: async ({ id, ip, ...session }) => {
      const added = await insert({ _id: id, ...session, open: true, ...(ip === undefined ? {} : { ip: cipher.encrypt(ip, ipOf(id)) }) });
      if (!added) throw new Error('the id of a new session is taken');
    },
    find: (id) => find(id),
    findProven: (id) => find(id, PROVEN),
    rotate: async (id, generation, now, expiresAt) => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, generation, revokedAt: null, expiresAt: { $gt: now } },
        { $set: { generation: generation + 1, rotatedAt: now, lastUsedAt: now, expiresAt } },
      );
      return modifiedCount === 1;
    },
    revoke: async (id, now) => {
      await model.updateOne({ _id: id, revokedAt: null }, revocation(now));
    },
    revokeBeyond: (owner, keep, now) => revokeBeyond({ owner, keep, now }),
    signIns: async (wallets, partnerId) =>
      (
        await model
          .find({ wallet: { $in: [...wallets] }, partnerId }, { _id: 0, createdAt: 1, userAgent: 1 })
          // Ordered by the index of ids, the search would go through the sessions of all wallets.
          .hint(byWallet)
          .sort({ _id: -1 })
          .limit(MAX_COMPARED)
          .lean()
      ).reverse(),
    forgetOrigins: async (wallets, partnerId) => {
      await model.updateMany({ wallet: { $in: [...wallets] }, partnerId }, { $unset: { ip: 1, userAgent: 1 } });
    },
    unannounced: async (limit) => (await model.find({ unannounced: true }, { _id: 1 }).limit(limit).lean()).map(({ _id }) => _id),
    markAnnounced: async (ids) => {
      await model.updateMany({ _id: { $in: [...ids] } }, { $unset: { unannounced: 1 } });
    },
    revokedAfter: async (time, usedAfter, limit) =>
      (
        await model
          .find({ revokedAt: { $gt: time }, lastUsedAt: { $gt: usedAfter } }, { _id: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id }) => _id),
    page: async (owner, { limit, before }, now) => {
      const from = before === undefined ? {} : { _id: { $lt: before } };
      return (
        await model
          .find({ ...usable(owner, now), ...from })
          .sort({ _id: -1 })
          .limit(limit)
          .lean()
      ).map(toSession);
    },
  };
};
