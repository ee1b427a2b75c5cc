import type { FieldCipher } from '@florin/data/encryption';
import { isDuplicateKey } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';
import { emailKeyOf } from '../domain/email.ts';
import type { Registration, RegistrationStep, RegistrationSubject } from '../domain/registration.ts';
import { walletKeyOf } from '../domain/user.ts';

type Document = Omit<Registration, 'emailKey'> & {
  _id: string;
  /** Encrypted. */
  email: string;
  /** Keyed hash of the e-mail address's key. */
  emailHash: string;
};

const schema = new Schema<Document>(
  {
    _id: String,
    wallet: { type: String, required: true },
    userId: { type: String, required: true },
    accountId: { type: String, required: true },
    partnerId: { type: String, required: true },
    email: { type: String, required: true },
    emailHash: { type: String, required: true },
    kycProfileId: String,
    step: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'registrations', versionKey: false },
).index({ userId: 1 });

/** One document per wallet. Its `_id` is the wallet, so concurrent registrations of a wallet share one document. */
export type RegistrationStore = {
  /** Removes a user's registrations by these wallets. */
  removeOf: (userId: string, wallets: readonly string[]) => Promise<void>;
  find: (wallet: string) => Promise<Registration | undefined>;
  /** Id of the partner at which a user is being registered, or was. */
  partnerOf: (userId: string) => Promise<string | undefined>;
  /** Starts a registration, or returns the one that the wallet already has. @throws CodedError USER_REGISTRATION_IN_PROGRESS */
  begin: (fresh: Registration) => Promise<Registration>;
  /** Moves a registration to a step. Returns undefined when its step or e-mail address differs from `seen`. */
  advance: (
    seen: Registration,
    to: RegistrationStep,
    now: Date,
    found?: Pick<Registration, 'kycProfileId'>,
  ) => Promise<Registration | undefined>;
  /** Changes the e-mail address under the same condition. */
  retarget: (seen: Registration, subject: RegistrationSubject, now: Date) => Promise<Registration | undefined>;
  /** Removes an abandoned registration, so that the wallet can start again. */
  removeAbandoned: (seen: Registration) => Promise<void>;
};

export const createRegistrationStore = (connection: Connection, cipher: FieldCipher): RegistrationStore => {
  const model = connection.model<Document>('Registration', schema);
  const placeOf = (id: string) => ({ collection: 'registrations', id, field: 'email' });
  const hashOf = (emailKey: string): string => cipher.hash('email', emailKey);
  const sealed = (id: string, { email, emailKey }: Pick<Registration, 'email' | 'emailKey'>) => ({
    email: cipher.encrypt(email, placeOf(id)),
    emailHash: hashOf(emailKey),
  });
  const toRegistration = ({ _id, emailHash: _hash, ...stored }: Document): Registration => {
    const email = cipher.decrypt(stored.email, placeOf(_id));
    return { ...stored, email, emailKey: emailKeyOf(email) };
  };

  const find: RegistrationStore['find'] = async (wallet) => {
    const found = await model.findById(walletKeyOf(wallet)).lean();
    return found === null ? undefined : toRegistration(found);
  };
  const update = async (seen: Registration, change: Partial<Document>): Promise<Registration | undefined> => {
    const { userId, partnerId, emailKey, step } = seen;
    const unchanged = { _id: walletKeyOf(seen.wallet), userId, partnerId, emailHash: hashOf(emailKey), step };
    const after = await model.findOneAndUpdate(unchanged, { $set: change }, { returnDocument: 'after' }).lean();
    return after === null ? undefined : toRegistration(after);
  };

  return {
    find,
    partnerOf: async (userId) => (await model.findOne({ userId }, { partnerId: 1 }).lean())?.partnerId,
    removeOf: async (userId, wallets) => {
      await model.deleteMany({ _id: { $in: wallets.map(walletKeyOf) }, userId });
    },
    begin: async ({ emailKey, ...fresh }) => {
      const id = walletKeyOf(fresh.wallet);
      try {
        await model.create({ ...fresh, ...sealed(id, { ...fresh, emailKey }), _id: id });
        return { ...fresh, emailKey };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const existing = await find(fresh.wallet);
        // The document was removed between the two calls, so another call is working on this wallet.
        if (existing === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
        return existing;
      }
    },
    advance: (seen, step, updatedAt, found = {}) => update(seen, { ...found, step, updatedAt }),
    retarget: (seen, { partnerId, ...address }, updatedAt) =>
      update(seen, { partnerId, ...sealed(walletKeyOf(seen.wallet), address), updatedAt }),
    removeAbandoned: async ({ wallet, userId }) => {
      await model.deleteOne({ _id: walletKeyOf(wallet), userId, step: 'abandoned' satisfies RegistrationStep });
    },
  };
};
