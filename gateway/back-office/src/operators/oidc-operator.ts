import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { ROLES, type Role } from '../contract/index.ts';
import type { Operator, OperatorStore } from '../store/operators.ts';
import type { OidcIdentity } from './oidc.ts';

const DENIED = new CodedError('FORBIDDEN', { message: 'the provider knows the person, the back office does not' });

const knownRoles = (names: readonly string[]): Role[] => ROLES.filter((role) => names.includes(role));

/**
 * The operator who has signed in at the provider. One who was invited is recognized by the e-mail address that the provider has verified, once; from then on by the
 * provider's own name of the person. Where the provider gives roles, they are the operator's, and it may bring new operators.
 * @throws CodedError FORBIDDEN
 */
export const findOidcOperator = async (
  { subject, email, name, roles }: OidcIdentity,
  { operators, runtime }: { operators: OperatorStore; runtime: Pick<Runtime, 'now' | 'newId'> },
): Promise<Operator> => {
  const given = roles === undefined ? undefined : knownRoles(roles);
  if (given?.length === 0) throw DENIED;
  const byEmail = async (): Promise<Operator | null> => {
    const found = email === undefined ? null : await operators.findByEmail(email);
    return found?.oidc === undefined ? found : null;
  };
  const find = async (): Promise<Operator | null> => (await operators.findByOidc(subject)) ?? (await byEmail());
  const bring = async (): Promise<Operator | null> => {
    if (given === undefined || email === undefined) return null;
    const createdAt = runtime.now();
    const operator = { _id: runtime.newId(), email, name: name ?? email, roles: given, status: 'active' as const, passkeys: [], createdAt };
    // Of two sign-ins at once, the second one finds what the first one has added.
    return (await operators.insert({ ...operator, oidc: subject })) ? { ...operator, oidc: subject } : find();
  };
  const operator = (await find()) ?? (await bring());
  if (operator?.status !== 'active') throw DENIED;
  await operators.signedIn(operator._id, runtime.now(), { oidc: subject, ...(given === undefined ? {} : { roles: given }) });
  return { ...operator, oidc: subject, ...(given === undefined ? {} : { roles: given }) };
};
