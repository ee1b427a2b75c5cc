import { isDuplicateKey, throughDeadlocks } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Role } from '../contract/index.ts';
import { mailboxOf } from '../operators/mailbox.ts';

/** A passkey's public part. */
export type Passkey = {
  /** Id of the credential, base64url. */
  id: string;
  /** Public key (COSE), base64url. */
  publicKey: string;
  /** The authenticator's counter of signatures; 0 for those that do not count. */
  counter: number;
  transports: string[];
  createdAt: Date;
  /** As its operator calls it. */
  name?: string;
  /** When it last answered; absent for those that have not since this was stored. */
  lastUsedAt?: Date;
};

/** A person who works with the back office. */
export type Operator = {
  /** UUID. */
  _id: string;
  /** In lower case. */
  email: string;
  /** The mailbox behind it; absent for those who were stored before schema 2. */
  mailbox?: string;
  name: string;
  roles: Role[];
  status: 'active' | 'disabled';
  passkeys: Passkey[];
  /** The operator at the OpenID provider, as `issuer subject`; absent before the first sign-in there. */
  oidc?: string;
  /** Ids of the operators by whose links this one got in; anew after one who had neither a passkey nor a person at the provider. */
  letInBy?: string[];
  createdAt: Date;
  lastSignInAt?: Date;
};

/** The rights that a link gives an operator, and its maker; absent when it was made at the command line. */
export type Grant = { roles: readonly Role[]; letInBy?: string | undefined };

const text = { type: String, required: true } as const;

const schema = new Schema<Operator>(
  {
    _id: String,
    email: text,
    mailbox: String,
    name: text,
    roles: { type: [String], required: true },
    status: text,
    passkeys: { type: Schema.Types.Mixed, required: true },
    oidc: String,
    letInBy: { type: [String], default: undefined },
    createdAt: { type: Date, required: true },
    lastSignInAt: Date,
  },
  { collection: 'operators', versionKey: false },
);
schema.index({ email: 1 }, { unique: true });

/** The part of an operator that another one has already: the id or the address (`operator`), the passkey, the person at the provider, or the mailbox. */
export type Conflict = 'operator' | 'passkey' | 'provider' | 'mailbox';

/** A person is one operator, and a passkey belongs to one operator. The indexes are named because earlier releases created indexes of the same fields that are not unique. */
const UNIQUE = {
  passkey: 'one_operator_of_passkey',
  provider: 'one_operator_of_provider',
  mailbox: 'one_active_operator_of_mailbox',
} as const;
const isThere = { $exists: true } as const;
schema.index({ 'passkeys.id': 1 }, { name: UNIQUE.passkey, unique: true, partialFilterExpression: { 'passkeys.id': isThere } });
schema.index({ oidc: 1 }, { name: UNIQUE.provider, unique: true, partialFilterExpression: { oidc: isThere } });
schema.index({ mailbox: 1 }, { name: UNIQUE.mailbox, unique: true, partialFilterExpression: { mailbox: isThere, status: 'active' } });

/** Engines name the index that a write would break in their message, and not all of them anywhere else. @throws `error` when it is of another kind */
const conflictOf = (error: unknown): Conflict => {
  if (!isDuplicateKey(error)) throw error;
  const { message } = error as Error;
  return (Object.keys(UNIQUE) as (keyof typeof UNIQUE)[]).find((name) => message.includes(UNIQUE[name])) ?? 'operator';
};

/** The most operators that a list returns. */
const MAX_OPERATORS = 500;

/** Operators. None is ever deleted: the audit log names them. */
export const createOperatorStore = (connection: Connection) => {
  const model = connection.model<Operator>('Operator', schema);
  return {
    hasAny: async (): Promise<boolean> => (await model.exists({})) !== null,
    find: (id: string): Promise<Operator | null> => model.findById(id).lean(),
    findByEmail: (email: string): Promise<Operator | null> => model.findOne({ email }).lean(),
    findByPasskey: (passkeyId: string): Promise<Operator | null> => model.findOne({ 'passkeys.id': passkeyId }).lean(),
    findByOidc: (oidc: string): Promise<Operator | null> => model.findOne({ oidc }).lean(),
    list: (): Promise<Operator[]> => model.find().sort({ createdAt: 1 }).limit(MAX_OPERATORS).lean(),
    names: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const found = await model.find({ _id: { $in: [...ids] } }, { name: 1 }).lean();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** Another active operator with a mailbox. */
    findByMailbox: (mailbox: string, but: string): Promise<Operator | null> =>
      model.findOne({ mailbox, status: 'active', _id: { $ne: but } }).lean(),

    /** Adds an operator. @returns undefined when it was added, else why not */
    insert: async (operator: Operator): Promise<Conflict | undefined> => {
      try {
        // The link is used up by now: nobody could enrol again.
        await throughDeadlocks(() => model.create({ ...operator, mailbox: mailboxOf(operator.email) }));
        return undefined;
      } catch (error) {
        return conflictOf(error);
      }
    },

    /**
     * Adds a passkey, and sets what an invitation grants.
     * @returns undefined when it was added; `operator` when there is no such active operator, `passkey` when an operator has it already
     */
    addPasskey: async (id: string, passkey: Passkey, grant?: Grant): Promise<Conflict | undefined> => {
      const letInBy = grant?.letInBy;
      const granted = grant === undefined ? {} : { roles: [...grant.roles] };
      const added = { $push: { passkeys: passkey } };
      const letIn = letInBy === undefined ? {} : { $addToSet: { letInBy } };
      const anew = letInBy === undefined ? { $set: granted, $unset: { letInBy: 1 } } : { $set: { ...granted, letInBy: [letInBy] } };
      try {
        const active = { _id: id, status: 'active' as const };
        // Nobody can be in such an account any more: whoever let its operator in before counts no longer.
        const empty = { ...active, passkeys: { $size: 0 }, oidc: { $exists: false } };
        if (grant !== undefined && (await model.updateOne(empty, { ...added, ...anew })).matchedCount === 1) return undefined;
        // The index knows the passkeys of other documents, the filter those of this one.
        const { matchedCount } = await model.updateOne(
          { ...active, 'passkeys.id': { $ne: passkey.id } },
          {
            ...added,
            ...letIn,
            $set: granted,
          },
        );
        return matchedCount === 1 ? undefined : 'operator';
      } catch (error) {
        return conflictOf(error);
      }
    },

    namePasskey: async (id: string, passkeyId: string, name: string): Promise<void> => {
      await model.updateOne({ _id: id, 'passkeys.id': passkeyId }, { $set: { 'passkeys.$.name': name } });
    },

    /**
     * Removes a passkey; one that is not there stays removed.
     * @param keepsLast whether an operator without a person at the provider keeps the last one, which one write decides: of two who end the last two, one does
     * @returns whether the operator has it no more
     */
    endPasskey: async (id: string, passkeyId: string, { keepsLast }: { keepsLast: boolean }): Promise<boolean> => {
      const canDoWithout = keepsLast ? { $or: [{ oidc: { $exists: true } }, { 'passkeys.1': { $exists: true } }] } : {};
      await model.updateOne({ _id: id, 'passkeys.id': passkeyId, ...canDoWithout }, { $pull: { passkeys: { id: passkeyId } } });
      return (await model.exists({ _id: id, 'passkeys.id': passkeyId })) === null;
    },

    /** Moves a passkey's counter on. @returns whether it was still the expected one: of two uses of one answer, one wins */
    useCounter: async (id: string, passkeyId: string, expected: number, next: number, at: Date): Promise<boolean> => {
      const { matchedCount } = await model.updateOne(
        { _id: id, passkeys: { $elemMatch: { id: passkeyId, counter: expected } } },
        { $set: { 'passkeys.$.counter': next, 'passkeys.$.lastUsedAt': at } },
      );
      return matchedCount === 1;
    },

    /**
     * Stores a sign-in, and the roles that the OpenID provider gives.
     * @param oidc the person at the provider who has signed in there
     * @returns whether there is such an active operator, who is this person at the provider
     */
    signedIn: async (id: string, at: Date, { oidc, roles }: { oidc?: string; roles?: Role[] } = {}): Promise<boolean> => {
      const filter = { _id: id, status: 'active' as const, ...(oidc === undefined ? {} : { oidc }) };
      const set = { lastSignInAt: at, ...(roles === undefined ? {} : { roles }) };
      return (await model.updateOne(filter, { $set: set })).matchedCount === 1;
    },

    /**
     * Links an operator to a person at the OpenID provider.
     * @returns false unless the operator is active, and neither of the two is linked to another one: of two who are linked at once, one is
     */
    linkProvider: async (id: string, oidc: string): Promise<boolean> => {
      try {
        const { matchedCount } = await model.updateOne({ _id: id, status: 'active', oidc: { $in: [null, oidc] } }, { $set: { oidc } });
        return matchedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Ends the link of an operator to a person at the OpenID provider. */
    unlinkProvider: async (id: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $unset: { oidc: 1 } });
    },

    /** Leaves an operator some of the roles. @returns whether there is an active operator who had them all */
    keepRoles: async (id: string, roles: readonly Role[]): Promise<boolean> => {
      // No array has all of none.
      const had = roles.length === 0 ? {} : { roles: { $all: [...roles] } };
      return (await model.updateOne({ _id: id, status: 'active', ...had }, { $set: { roles: [...roles] } })).matchedCount === 1;
    },

    /** Disables an operator for good; a disabled one stays as it is. @returns undefined when there is none */
    disable: (id: string): Promise<Operator | null> =>
      model.findOneAndUpdate({ _id: id }, { $set: { status: 'disabled' } }, { returnDocument: 'after' }).lean(),
  };
};

export type OperatorStore = ReturnType<typeof createOperatorStore>;
