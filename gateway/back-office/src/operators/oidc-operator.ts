import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { ROLES, type Role } from '../contract/index.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import { ANOTHER_ACCOUNT } from './invitations.ts';
import type { OidcIdentity } from './oidc.ts';

const DENIED = new CodedError('FORBIDDEN', { message: 'the provider knows the person, the back office does not' });

/** An address is no proof: providers give it to somebody else when its owner has left. */
const NOT_LINKED = new CodedError('PROVIDER_NOT_LINKED', {
  message: 'the operator with this address is not linked to the person at the provider: sign in with a passkey, and link the two there',
});

const knownRoles = (names: readonly string[]): Role[] => ROLES.filter((role) => names.includes(role));

/** The person who has signed in at the provider, before anything is stored. */
export type Recognized = {
  /** As the operator is to be. */
  operator: Operator;
  /** True if the provider brings the operator. */
  isNew: boolean;
  /** The roles that the provider gives; undefined where it gives none to anybody. */
  roles: readonly Role[] | undefined;
};

/**
 * The operator who is linked to the person that has signed in at the provider. Where the provider gives roles, they are the operator's, and it may bring operators whose
 * addresses nobody has here.
 * @throws CodedError FORBIDDEN, PROVIDER_NOT_LINKED
 */
export const recognizeOidcOperator = async (
  { subject, email, name, roles: names }: OidcIdentity,
  { operators, runtime }: { operators: Pick<OperatorStore, 'findByOidc' | 'findByEmail'>; runtime: Pick<Runtime, 'now' | 'newId'> },
): Promise<Recognized> => {
  const roles = names === undefined ? undefined : knownRoles(names);
  if (roles?.length === 0) throw DENIED;
  const known = await operators.findByOidc(subject);
  if (known !== null) {
    if (known.status !== 'active') throw DENIED;
    return { operator: { ...known, roles: roles ?? known.roles }, isNew: false, roles };
  }
  if (email === undefined) throw DENIED;
  if ((await operators.findByEmail(email)) !== null) throw NOT_LINKED;
  if (roles === undefined) throw DENIED;
  const own = { email, name: name ?? email, roles, oidc: subject };
  const operator: Operator = { _id: runtime.newId(), ...own, status: 'active', passkeys: [], createdAt: runtime.now() };
  return { operator, isNew: true, roles };
};

/**
 * Stores what the provider has said.
 * @throws CodedError UNAUTHORIZED when the same person has signed in for the first time at the same moment, in another browser; FORBIDDEN when the link to the person has
 * ended meanwhile, or the operator was disabled; OPERATOR_EXISTS when another operator has the mailbox
 */
export const keepOidcOperator = async (
  { operator, isNew, roles }: Recognized,
  { operators, runtime }: { operators: Pick<OperatorStore, 'insert' | 'signedIn'>; runtime: Pick<Runtime, 'now'> },
): Promise<void> => {
  const taken = isNew ? await operators.insert(operator) : undefined;
  if (taken === 'mailbox') throw ANOTHER_ACCOUNT;
  if (taken !== undefined) throw new CodedError('UNAUTHORIZED', { message: 'there were two first sign-ins: sign in again' });
  const said = { oidc: operator.oidc ?? '', ...(roles === undefined ? {} : { roles: [...roles] }) };
  if (!(await operators.signedIn(operator._id, runtime.now(), said))) throw DENIED;
};
