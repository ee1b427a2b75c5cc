import { isDuplicateKey } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';
import type { Registration, RegistrationStep, RegistrationSubject } from '../domain/registration.ts';
import { walletKeyOf } from '../domain/user.ts';

type Document = Registration & { _id: string };

const schema = new Schema<Document>(
  {
    _id: String,
    wallet: { type: String, required: true },
    userId: { type: String, required: true },
    accountId: { type: String, required: true },
    partnerId: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    kycProfileId: String,
    step: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'registrations', versionKey: false },
);

/** One document per wallet; `_id` is the wallet, so that two registrations at once are one. */
export type RegistrationStore = {
  find: (wallet: string) => Promise<Registration | undefined>;
  /** Starts a registration, or answers the one that the wallet has already. @throws CodedError USER_REGISTRATION_IN_PROGRESS */
  begin: (fresh: Registration) => Promise<Registration>;
  /** Moves on from the step (and the e-mail) that the caller has seen; undefined when somebody else changed it meanwhile. */
  advance: (
    seen: Registration,
    to: RegistrationStep,
    now: Date,
    found?: Pick<Registration, 'kycProfileId'>,
  ) => Promise<Registration | undefined>;
  /** Exchanges the e-mail under the same condition. */
  retarget: (seen: Registration, subject: RegistrationSubject, now: Date) => Promise<Registration | undefined>;
  /** Forgets an abandoned one, so that the wallet can start afresh. */
  removeAbandoned: (seen: Registration) => Promise<void>;
};

export const createRegistrationStore = (connection: Connection): RegistrationStore => {
  const model = connection.model<Document>('Registration', schema);

  const find: RegistrationStore['find'] = async (wallet) => {
    const found = await model.findById(walletKeyOf(wallet)).lean();
    return found ?? undefined;
  };
  const update = async (seen: Registration, change: Partial<Registration>): Promise<Registration | undefined> => {
    const { userId, partnerId, emailKey, step } = seen;
    const unchanged = { _id: walletKeyOf(seen.wallet), userId, partnerId, emailKey, step };
    return (await model.findOneAndUpdate(unchanged, { $set: change }, { returnDocument: 'after' }).lean()) ?? undefined;
  };

  return {
    find,
    begin: async (fresh) => {
      try {
        await model.create({ ...fresh, _id: walletKeyOf(fresh.wallet) });
        return fresh;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const existing = await find(fresh.wallet);
        // Removed in the moment between: whoever does that is at work on this wallet.
        if (existing === undefined) throw new CodedError('USER_REGISTRATION_IN_PROGRESS');
        return existing;
      }
    },
    advance: (seen, step, updatedAt, found = {}) => update(seen, { ...found, step, updatedAt }),
    retarget: (seen, { partnerId, email, emailKey }, updatedAt) => update(seen, { partnerId, email, emailKey, updatedAt }),
    removeAbandoned: async ({ wallet, userId }) => {
      await model.deleteOne({ _id: walletKeyOf(wallet), userId, step: 'abandoned' satisfies RegistrationStep });
    },
  };
};
