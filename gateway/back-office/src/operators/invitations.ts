import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Invitation, needsSecondAdministrator, permissionsOf, type Role } from '../contract/index.ts';
import type { OnceStore, StoredInvitation } from '../store/once.ts';
import type { OperatorStore } from '../store/operators.ts';
import { mailboxOf } from './mailbox.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** How long a link works. */
const LINK_MS = 24 * 60 * 60_000;

/** A person has one account: with two, they would approve what they have ordered. */
export const ANOTHER_ACCOUNT = new CodedError('OPERATOR_EXISTS', { message: 'another operator has this mailbox' });

/** The invited person, with the id that names this person as an operator. */
export type Invited = {
  operatorId: string;
  email: string;
  roles: readonly Role[];
  /** Id of the operator who invites; absent at the command line. */
  invitedBy?: string;
};

/** The audit record of an invitation: whom it concerns, and what it grants. */
export const grantOf = ({ operatorId, roles }: Omit<Invited, 'email'>): Record<string, string> => ({
  operator_id: operatorId,
  roles: roles.join(' '),
});

/** Reports whether a link lets nobody in yet. */
export const isWaiting = ({ needsApproval, approvedBy }: StoredInvitation): boolean => needsApproval === true && approvedBy === undefined;

/**
 * Links by which people become operators, and operators get another passkey. Their secret is a fragment, which browsers send to no server and logs do not
 * contain; only its hash is stored.
 */
export const createInvitations = ({
  once,
  operators,
  runtime,
  origin,
}: {
  once: OnceStore;
  operators: OperatorStore;
  runtime: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>;
  origin: string;
}) => {
  const mayInvite = async (operatorId: string | undefined): Promise<boolean> => {
    if (operatorId === undefined) return true;
    const operator = await operators.find(operatorId);
    return operator?.status === 'active' && permissionsOf(operator.roles).includes('operators.manage');
  };

  /**
   * A link is worth what those who made and approved it may still do: one who was disabled, or manages operators no more, does not come back by a link of their own. One that
   * waits for a second administrator lets nobody in.
   */
  const unlessWorthless = async (invitation: StoredInvitation | null): Promise<StoredInvitation> => {
    const isGood = invitation !== null && (await mayInvite(invitation.invitedBy)) && (await mayInvite(invitation.approvedBy));
    if (!isGood) throw new CodedError('NOT_FOUND', { message: 'the link does not work, or not any more' });
    if (isWaiting(invitation)) throw new CodedError('INVITATION_WAITS', { message: 'a second administrator has not approved it yet' });
    return invitation;
  };

  return {
    /** Id of the operator with an e-mail address, or of the one who is to be. */
    idOf: async (email: string): Promise<string> => (await operators.findByEmail(email))?._id ?? runtime.newId(),

    /**
     * Makes a link, and ends earlier ones of the same person. One of an operator that gives rights over money or operators, or lets
     * somebody into an account that has them or has been entered before, waits for a second administrator: a passkey stays when its account gets rights.
     * @throws CodedError FORBIDDEN for an operator who is disabled, OPERATOR_EXISTS for the mailbox of another one
     */
    invite: async ({ operatorId, email, roles, invitedBy }: Invited): Promise<Invitation> => {
      const known = await operators.find(operatorId);
      if (known?.status === 'disabled') throw new CodedError('FORBIDDEN', { message: 'the operator is disabled' });
      if ((await operators.findByMailbox(mailboxOf(email), operatorId)) !== null) throw ANOTHER_ACCOUNT;
      const secret = newSecret(runtime);
      const expiresAt = new Date(runtime.now().getTime() + LINK_MS);
      await once.dropInvitationsOf(email);
      const isInhabited = known !== null && (known.passkeys.length > 0 || known.oidc !== undefined);
      const waits = invitedBy !== undefined && (isInhabited || needsSecondAdministrator([...roles, ...(known?.roles ?? [])]));
      const by = invitedBy === undefined ? {} : { invitedBy, needsApproval: waits };
      await once.addInvitation({ _id: hashSecret(secret), operatorId, email, roles: [...roles], ...by, expiresAt });
      return { url: `${origin}/enrol#${secret}`, expiresAt: expiresAt.toISOString(), waits };
    },

    /** @throws CodedError NOT_FOUND when the link does not work, any more or at all; INVITATION_WAITS */
    find: async (secret: string): Promise<StoredInvitation> =>
      unlessWorthless(await once.findInvitation(hashSecret(secret), runtime.now())),

    /** Uses a link up. @throws CodedError NOT_FOUND, INVITATION_WAITS */
    take: async (secret: string): Promise<StoredInvitation> => {
      await unlessWorthless(await once.findInvitation(hashSecret(secret), runtime.now()));
      return unlessWorthless(await once.takeInvitation(hashSecret(secret), runtime.now()));
    },

    /** Links that nobody has used. */
    list: (): Promise<StoredInvitation[]> => once.listInvitations(runtime.now()),

    /** A link by its id. @throws CodedError NOT_FOUND */
    findById: async (id: string): Promise<StoredInvitation> => {
      const found = await once.findInvitation(id, runtime.now());
      if (found === null) throw new CodedError('NOT_FOUND');
      return found;
    },

    /**
     * Approves a link that waits. A repeat of the same administrator succeeds.
     * @throws CodedError NOT_FOUND when there is none that waits
     */
    approve: async (id: string, approvedBy: string): Promise<void> => {
      if (await once.approveInvitation(id, approvedBy, runtime.now())) return;
      if ((await once.findInvitation(id, runtime.now()))?.approvedBy !== approvedBy) throw new CodedError('NOT_FOUND');
    },

    end: once.dropInvitation,

    /** Ends the links that an operator has made or approved: whoever held a passkey that was lost may have done so. */
    endAllBy: (operatorId: string): Promise<void> => once.dropInvitationsBy(operatorId),
  };
};

export type Invitations = ReturnType<typeof createInvitations>;
