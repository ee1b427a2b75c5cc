import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import { mailboxOf } from './mailbox.ts';

/** The signs that two accounts may be of one person. */
export type Tie = 'account' | 'mailbox' | 'provider' | 'passkey' | 'invitation';

const hasLetIn = (one: Operator, other: Operator): boolean => other.letInBy?.includes(one._id) === true;

/**
 * The ties between two accounts: one mailbox, one person at the OpenID provider, one passkey, or that one of the two has made a link by which the other got in. Who makes
 * such a link can use it too.
 */
export const tieBetween = (one: Operator, other: Operator): Tie | undefined => {
  if (one._id === other._id) return 'account';
  if (mailboxOf(one.email) === mailboxOf(other.email)) return 'mailbox';
  if (one.oidc !== undefined && one.oidc === other.oidc) return 'provider';
  if (one.passkeys.some(({ id }) => other.passkeys.some((passkey) => passkey.id === id))) return 'passkey';
  return hasLetIn(one, other) || hasLetIn(other, one) ? 'invitation' : undefined;
};

/**
 * Requires that somebody else approves than the one who has ordered. Who has ordered without being an operator, for example at a command line, is known to the service only,
 * which compares the names.
 * @param orderedBy and `approver` as the services know them
 * @throws CodedError SELF_APPROVAL with the tie as its metadata `tie`
 */
export const requireSecondPerson = async (
  { operators }: { operators: Pick<OperatorStore, 'find'> },
  orderedBy: string,
  approver: string,
): Promise<void> => {
  const [one, other] = await Promise.all([operators.find(operatorIdOf(orderedBy)), operators.find(operatorIdOf(approver))]);
  const tie = one === null || other === null ? undefined : tieBetween(one, other);
  if (tie === undefined) return;
  throw new CodedError('SELF_APPROVAL', { message: `somebody else has to approve it: the accounts have one ${tie}`, metadata: { tie } });
};
