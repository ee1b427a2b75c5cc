import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Role } from '../contract/index.ts';

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
};

/** A person who works with the back office. */
export type Operator = {
  /** UUID. */
  _id: string;
  /** In lower case. */
  email: string;
  name: string;
  roles: Role[];
  status: 'active' | 'disabled';
  passkeys: Passkey[];
  /** The operator at the OpenID provider, as `issuer subject`; absent before the first sign-in there. */
  oidc?: string;
  createdAt: Date;
  lastSignInAt?: Date;
};

const text = { type: String, required: true } as const;

const schema = new Schema<Operator>(
  {
    _id: String,
    email: text,
    name: text,
    roles: { type: [String], required: true },
    status: text,
    passkeys: { type: Schema.Types.Mixed, required: true },
    oidc: String,
    createdAt: { type: Date, required: true },
    lastSignInAt: Date,
  },
  { collection: 'operators', versionKey: false },
);
schema.index({ email: 1 }, { unique: true });
schema.index({ 'passkeys.id': 1 });
schema.index({ oidc: 1 }, { sparse: true });

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

    /** Adds an operator. @returns whether it was added; not when the id or the e-mail address is taken */
    insert: async (operator: Operator): Promise<boolean> => {
      try {
        await model.create(operator);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Adds a passkey, and sets what an invitation grants. @returns whether there is such an active operator */
    addPasskey: async (id: string, passkey: Passkey, roles?: readonly Role[]): Promise<boolean> => {
      const change = { $push: { passkeys: passkey }, ...(roles === undefined ? {} : { $set: { roles: [...roles] } }) };
      const { matchedCount } = await model.updateOne({ _id: id, status: 'active', 'passkeys.id': { $ne: passkey.id } }, change);
      return matchedCount === 1;
    },

    /** Moves a passkey's counter on. @returns whether it was still the expected one: of two uses of one answer, one wins */
    useCounter: async (id: string, passkeyId: string, expected: number, next: number): Promise<boolean> => {
      const { matchedCount } = await model.updateOne(
        { _id: id, passkeys: { $elemMatch: { id: passkeyId, counter: expected } } },
        { $set: { 'passkeys.$.counter': next } },
      );
      return matchedCount === 1;
    },

    /**
     * Stores a sign-in, and what the OpenID provider has said of the operator.
     * @returns whether there is such an active operator, whom the provider does not know by another name: of two who claim an operator at once, one wins
     */
    signedIn: async (id: string, at: Date, more: { oidc?: string; roles?: Role[] } = {}): Promise<boolean> => {
      const unclaimed = more.oidc === undefined ? {} : { oidc: { $in: [null, more.oidc] } };
      const { matchedCount } = await model.updateOne({ _id: id, status: 'active', ...unclaimed }, { $set: { lastSignInAt: at, ...more } });
      return matchedCount === 1;
    },

    /** Disables an operator for good; a disabled one stays as it is. @returns undefined when there is none */
    disable: (id: string): Promise<Operator | null> =>
      model.findOneAndUpdate({ _id: id }, { $set: { status: 'disabled' } }, { returnDocument: 'after' }).lean(),
  };
};

export type OperatorStore = ReturnType<typeof createOperatorStore>;
