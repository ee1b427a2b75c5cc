import type { Authenticator, Caller, ServiceCaller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { CodedError } from '../errors/index.ts';

type Scoped = Extract<Policy, { access: 'service' | 'userOrService' }>;

/** A partner's client has the scopes of partners only. */
const requireScopeOf = (caller: ServiceCaller, { scope, partnerScope }: Scoped): Caller =>
  requireScope(caller, caller.partnerId !== undefined && partnerScope !== undefined ? partnerScope : scope);

const requireScope = (caller: ServiceCaller, scope: string): Caller => {
  if (!caller.scopes.has(scope)) throw new CodedError('FORBIDDEN', { message: `scope ${scope} is missing` });
  return caller;
};

const requireProcess = (caller: ServiceCaller, scope: string): Caller => {
  if (caller.person === true) throw new CodedError('FORBIDDEN', { message: 'this call is for processes, and the client is a person' });
  return requireScope(caller, scope);
};

const requireUser = (caller: Extract<Caller, { kind: 'wallet' }>): Caller => {
  if (caller.userId === undefined) throw new CodedError('USER_NOT_REGISTERED');
  return caller;
};

/**
 * Authenticates the caller and checks it against a policy. A caller that the policy does not explicitly allow is rejected.
 * @returns undefined on public methods, whose tokens are ignored
 * @throws CodedError UNAUTHORIZED, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE
 */
export const authorize = async (
  policy: Policy,
  authenticate: Authenticator,
  authorization: string | null | undefined,
  peer?: ReadonlySet<string>,
): Promise<Caller | undefined> => {
  if (policy.access === 'public') return undefined;
  const caller = await authenticate(authorization, peer);
  switch (policy.access) {
    case 'wallet':
      if (caller.kind === 'wallet') return caller;
      break;
    case 'user':
      if (caller.kind === 'wallet') return requireUser(caller);
      break;
    case 'service':
      if (caller.kind === 'service') return requireScopeOf(caller, policy);
      break;
    case 'process':
      if (caller.kind === 'service') return requireProcess(caller, policy.scope);
      break;
    case 'userOrService':
      return caller.kind === 'wallet' ? requireUser(caller) : requireScopeOf(caller, policy);
  }
  throw new CodedError('FORBIDDEN', { message: 'wrong kind of token' });
};
