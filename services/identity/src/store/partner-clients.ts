import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { PartnerClient } from '../domain/partner-client.ts';

type Document = Omit<PartnerClient, 'clientId'> & { _id: string };

const text = { type: String, required: true } as const;
const texts = { type: [String], required: true } as const;
const time = { type: Date, required: true } as const;

const schema = new Schema<Document>(
  {
    ...{ _id: String, partnerId: text, name: text, x: text, scopes: texts, createdAt: time, registeredBy: String },
    ...{ expiresAt: Date, revokedAt: Date, revokedBy: String },
  },
  { collection: 'partner_clients', versionKey: false },
);
schema.index({ partnerId: 1, createdAt: 1 });
schema.index({ expiresAt: 1 });

/** The right to register a key as a client of a partner. */
export type PartnerInvitation = {
  /** SHA-256 of the bootstrap token. */
  tokenHash: string;
  partnerId: string;
  scopes: readonly string[];
  expiresAt: Date;
  /** Name of the client that issued it. */
  issuedBy?: string | undefined;
  /** The client that was registered with it. */
  clientId?: string | undefined;
};

type InvitationDocument = Omit<PartnerInvitation, 'tokenHash'> & { _id: string };

/** Kept for good: a bootstrap token follows from the id of its request, whose repeat must not make it valid again. */
const invitationSchema = new Schema<InvitationDocument>(
  { _id: String, partnerId: text, scopes: texts, expiresAt: time, issuedBy: String, clientId: String },
  { collection: 'partner_invitations', versionKey: false },
);

/** The registered keys of partners' servers, and the invitations to register one. */
export type PartnerClientStore = {
  find: (clientId: string) => Promise<PartnerClient | undefined>;
  /** Those of a partner that may sign, oldest first. */
  list: (partnerId: string, now: Date) => Promise<PartnerClient[]>;
  count: (partnerId: string, now: Date) => Promise<number>;
  /** @returns false if there is a client of that key */
  add: (client: PartnerClient) => Promise<boolean>;
  /** Lets a client that would end by itself live until a later time. */
  prolong: (clientId: string, expiresAt: Date) => Promise<void>;
  /** Ends a client. It is kept until it would have ended by itself, so that its key cannot be registered again. */
  revoke: (clientId: string, now: Date, by: string) => Promise<void>;
  /** Inserts an invitation, unless there is one of that token. @returns the stored one */
  invite: (invitation: PartnerInvitation) => Promise<PartnerInvitation>;
  findInvitation: (tokenHash: string) => Promise<PartnerInvitation | undefined>;
  /**
   * Uses an invitation for a client: one conditional write, so that one of several keys wins.
   * @returns it, if this client may use it: now, or because it did before
   */
  redeem: (tokenHash: string, clientId: string, now: Date) => Promise<PartnerInvitation | undefined>;
};

const toClient = ({ _id, ...rest }: Document): PartnerClient => ({ clientId: _id, ...rest });
const toInvitation = ({ _id, ...rest }: InvitationDocument): PartnerInvitation => ({ tokenHash: _id, ...rest });

export const createPartnerClientStore = (connection: Connection): PartnerClientStore => {
  const model = connection.model<Document>('PartnerClient', schema);
  const invitations = connection.model<InvitationDocument>('PartnerInvitation', invitationSchema);
  const living = (partnerId: string, now: Date) => ({
    partnerId,
    revokedAt: null,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
  });
  return {
    find: async (clientId) => {
      const found = await model.findById(clientId).lean();
      return found === null ? undefined : toClient(found);
    },
    list: async (partnerId, now) => (await model.find(living(partnerId, now)).sort({ createdAt: 1, _id: 1 }).lean()).map(toClient),
    count: (partnerId, now) => model.countDocuments(living(partnerId, now)),
    add: async ({ clientId, ...client }) => {
      try {
        await model.create({ _id: clientId, ...client, scopes: [...client.scopes] });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },
    prolong: async (clientId, expiresAt) => {
      await model.updateOne({ _id: clientId, expiresAt: { $lt: expiresAt } }, { $set: { expiresAt } });
    },
    revoke: async (clientId, now, by) => {
      await model.updateOne({ _id: clientId, revokedAt: null }, { $set: { revokedAt: now, revokedBy: by } });
    },
    invite: async ({ tokenHash, ...invitation }) => {
      try {
        await invitations.create({ _id: tokenHash, ...invitation, scopes: [...invitation.scopes] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await invitations.findById(tokenHash).lean();
      if (stored === null) throw new Error('an invitation that was inserted is gone');
      return toInvitation(stored);
    },
    findInvitation: async (tokenHash) => {
      const found = await invitations.findById(tokenHash).lean();
      return found === null ? undefined : toInvitation(found);
    },
    redeem: async (tokenHash, clientId, now) => {
      const usable = { _id: tokenHash, expiresAt: { $gt: now }, $or: [{ clientId: null }, { clientId }] };
      const found = await invitations.findOneAndUpdate(usable, { $set: { clientId } }, { returnDocument: 'after' }).lean();
      return found === null ? undefined : toInvitation(found);
    },
  };
};
