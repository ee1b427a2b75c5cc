import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { type Invitation, permissionsOf, type Role } from '../contract/index.ts';
import type { OnceStore, StoredInvitation } from '../store/once.ts';
import type { OperatorStore } from '../store/operators.ts';
import { mailboxOf } from './mailbox.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** How long a link works. */
const LINK_MS = 24 * 60 * 60_000;

/** A person has one account: with two, they would approve what they have ordered. */
export const ANOTHER_ACCOUNT = new CodedError('OPERATOR_EXISTS', { message: 'another operator has this mailbox' });

/** Who is invited, with the id that names this person as an operator. */
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
  /** A link is worth what its maker may still do: one who was disabled, or manages operators no more, does not come back by a link of their own. */
  const unlessWorthless = async (invitation: StoredInvitation | null): Promise<StoredInvitation> => {
    const { invitedBy } = invitation ?? {};
    const maker = invitedBy === undefined ? undefined : await operators.find(invitedBy);
    const mayInvite = maker === undefined || (maker?.status === 'active' && permissionsOf(maker.roles).includes('operators.manage'));
    if (invitation === null || !mayInvite) throw new CodedError('NOT_FOUND', { message: 'the link does not work, or not any more' });
    return invitation;
  };

  return {
    /** Id of the operator with an e-mail address, or of the one who is to be. */
    idOf: async (email: string): Promise<string> => (await operators.findByEmail(email))?._id ?? runtime.newId(),

    /**
     * Makes a link, and ends earlier ones of the same person.
     * @throws CodedError FORBIDDEN for an operator who is disabled, OPERATOR_EXISTS for the mailbox of another one
     */
    invite: async ({ operatorId, email, roles, invitedBy }: Invited): Promise<Invitation> => {
      if ((await operators.find(operatorId))?.status === 'disabled')
        throw new CodedError('FORBIDDEN', { message: 'the operator is disabled' });
      if ((await operators.findByMailbox(mailboxOf(email), operatorId)) !== null) throw ANOTHER_ACCOUNT;
      const secret = newSecret(runtime);
      const expiresAt = new Date(runtime.now().getTime() + LINK_MS);
      await once.dropInvitationsOf(email);
      const by = invitedBy === undefined ? {} : { invitedBy };
      await once.addInvitation({ _id: hashSecret(secret), operatorId, email, roles: [...roles], ...by, expiresAt });
      return { url: `${origin}/enrol#${secret}`, expiresAt: expiresAt.toISOString() };
    },

    /** @throws CodedError NOT_FOUND when the link does not work, any more or at all */
    find: async (secret: string): Promise<StoredInvitation> =>
      unlessWorthless(await once.findInvitation(hashSecret(secret), runtime.now())),

    /** Uses a link up. @throws CodedError NOT_FOUND */
    take: async (secret: string): Promise<StoredInvitation> =>
      unlessWorthless(await once.takeInvitation(hashSecret(secret), runtime.now())),

    /** Ends the links that an operator has made: whoever held a passkey that was lost may have made some of them. */
    endAllBy: (operatorId: string): Promise<void> => once.dropInvitationsBy(operatorId),
  };
};

export type Invitations = ReturnType<typeof createInvitations>;
