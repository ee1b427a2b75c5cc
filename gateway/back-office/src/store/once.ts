import { type Connection, Schema } from 'mongoose';
import type { Role } from '../contract/index.ts';

/** The challenge of a passkey, or of a sign-in at the provider by which an operator is linked to a person there: it is answered once, within minutes. */
export type StoredCeremony = {
  /** Opaque, base64url. */
  _id: string;
  purpose: 'sign-in' | 'enrol' | 'confirm' | 'add-passkey' | 'link-provider';
  /** The challenge of the passkey; of a link to the OpenID provider, the state of its sign-in. */
  challenge: string;
  /** Whom it belongs to; absent for a sign-in. */
  operatorId?: string;
  /** The session in which a link to the provider was begun. */
  sessionId?: string;
  expiresAt: Date;
};

/** A link by which a person becomes an operator, or an operator gets another passkey. */
export type StoredInvitation = {
  /** SHA-256 of the link's secret, hex. */
  _id: string;
  operatorId: string;
  email: string;
  roles: Role[];
  /** Id of the operator who made it; absent when it was made at the command line. */
  invitedBy?: string;
  /** True if it works only once another administrator has approved it. */
  needsApproval?: boolean;
  /** Id of the administrator who has. */
  approvedBy?: string;
  expiresAt: Date;
};

const text = { type: String, required: true } as const;
const expiresAt = { type: Date, required: true } as const;

const ceremonySchema = new Schema<StoredCeremony>(
  { _id: String, purpose: text, challenge: text, operatorId: String, sessionId: String, expiresAt },
  { collection: 'ceremonies', versionKey: false },
);
const invitationSchema = new Schema<StoredInvitation>(
  {
    _id: String,
    operatorId: text,
    email: text,
    roles: { type: [String], required: true },
    invitedBy: String,
    needsApproval: Boolean,
    approvedBy: String,
    expiresAt,
  },
  { collection: 'invitations', versionKey: false },
);
for (const schema of [ceremonySchema, invitationSchema]) schema.index({ expiresAt: 1 });

/** The most links that a list returns. */
const MAX_INVITATIONS = 500;

/** Records that work once: the first caller takes them, and nobody after. */
export const createOnceStore = (connection: Connection) => {
  const ceremonies = connection.model<StoredCeremony>('Ceremony', ceremonySchema);
  const invitations = connection.model<StoredInvitation>('Invitation', invitationSchema);
  return {
    addCeremony: async (ceremony: StoredCeremony): Promise<void> => {
      await ceremonies.create(ceremony);
    },
    /** @returns null when there is none for this purpose, or it was taken or has expired */
    takeCeremony: (id: string, purpose: StoredCeremony['purpose'], now: Date): Promise<StoredCeremony | null> =>
      ceremonies.findOneAndDelete({ _id: id, purpose, expiresAt: { $gt: now } }).lean(),
    addInvitation: async (invitation: StoredInvitation): Promise<void> => {
      await invitations.create(invitation);
    },
    findInvitation: (hash: string, now: Date): Promise<StoredInvitation | null> =>
      invitations.findOne({ _id: hash, expiresAt: { $gt: now } }).lean(),
    /** @returns null when there is none, or it was taken or has expired */
    takeInvitation: (hash: string, now: Date): Promise<StoredInvitation | null> =>
      invitations.findOneAndDelete({ _id: hash, expiresAt: { $gt: now } }).lean(),
    /** Links that nobody has used, the newest first. */
    listInvitations: (now: Date): Promise<StoredInvitation[]> =>
      invitations
        .find({ expiresAt: { $gt: now } })
        .sort({ expiresAt: -1 })
        .limit(MAX_INVITATIONS)
        .lean(),
    /** Approves a link that waits for it. @returns whether it did: of two who approve it, one does */
    approveInvitation: async (hash: string, approvedBy: string, now: Date): Promise<boolean> => {
      const waits = { needsApproval: true, approvedBy: { $exists: false }, expiresAt: { $gt: now } };
      const { matchedCount } = await invitations.updateOne({ _id: hash, ...waits }, { $set: { approvedBy } });
      return matchedCount === 1;
    },
    /** Removes an invitation. */
    dropInvitation: async (hash: string): Promise<void> => {
      await invitations.deleteOne({ _id: hash });
    },
    /** Removes the invitations of a person: only the last link works. */
    dropInvitationsOf: async (email: string): Promise<void> => {
      await invitations.deleteMany({ email });
    },
    /** Removes the invitations that an operator has made or approved. */
    dropInvitationsBy: async (operatorId: string): Promise<void> => {
      await invitations.deleteMany({ $or: [{ invitedBy: operatorId }, { approvedBy: operatorId }] });
    },
  };
};

export type OnceStore = ReturnType<typeof createOnceStore>;
