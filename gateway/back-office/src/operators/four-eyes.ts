import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import { mailboxOf } from './mailbox.ts';

/** The signs that two accounts may be of one person. */
export type Tie = 'account' | 'mailbox' | 'provider' | 'passkey' | 'invitation';

type Operators = Pick<OperatorStore, 'find'>;

/** An operator and everybody who has let them in by a link, up to those whom the command line has. */
const lineOf = async (operators: Operators, operator: Operator): Promise<ReadonlySet<string>> => {
  const line = new Set([operator._id]);
  let next: readonly (Operator | null)[] = [operator];
  while (next.length > 0) {
    const inviters = next.flatMap((one) => one?.letInBy ?? []).filter((id) => !line.has(id));
    for (const id of inviters) line.add(id);
    next = await Promise.all([...new Set(inviters)].map((id) => operators.find(id)));
  }
  return line;
};

/**
 * The ties between two accounts: one mailbox, one person at the OpenID provider, one passkey, or one inviter of both, over any number of links. The maker of a
 * link can use it too, and so can the maker's inviter.
 */
export const tieBetween = async (operators: Operators, one: Operator, other: Operator): Promise<Tie | undefined> => {
  if (one._id === other._id) return 'account';
  if (mailboxOf(one.email) === mailboxOf(other.email)) return 'mailbox';
  if (one.oidc !== undefined && one.oidc === other.oidc) return 'provider';
  if (one.passkeys.some(({ id }) => other.passkeys.some((passkey) => passkey.id === id))) return 'passkey';
  const [line, others] = await Promise.all([lineOf(operators, one), lineOf(operators, other)]);
  return [...line].some((id) => others.has(id)) ? 'invitation' : undefined;
};

/**
 * Requires that another person approves than the one who has ordered. A person who has ordered without being an operator, for example at a command line, is known to the service only,
 * which compares the names.
 * @param orderedBy and `approver` as the services know them
 * @throws CodedError SELF_APPROVAL with the tie as its metadata `tie`
 */
export const requireSecondPerson = async ({ operators }: { operators: Operators }, orderedBy: string, approver: string): Promise<void> => {
  const [one, other] = await Promise.all([operators.find(operatorIdOf(orderedBy)), operators.find(operatorIdOf(approver))]);
  const tie = one === null || other === null ? undefined : await tieBetween(operators, one, other);
  if (tie === undefined) return;
  throw new CodedError('SELF_APPROVAL', { message: `somebody else has to approve it: the accounts have one ${tie}`, metadata: { tie } });
};
