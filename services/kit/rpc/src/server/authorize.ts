import type { Authenticator, Caller, ServiceCaller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { CodedError, type ErrorCode, toCodedError } from '../errors/index.ts';

type Scoped = Extract<Policy, { access: 'service' | 'userOrService' }>;

/** A partner's client has the scopes of partners only. */
const requireScopeOf = (caller: ServiceCaller, { scope, partnerScope }: Scoped): Caller =>
  requireScope(caller, caller.partnerId !== undefined && partnerScope !== undefined ? partnerScope : scope);

const requireScope = (caller: ServiceCaller, scope: string): Caller => {
  if (!caller.scopes.has(scope)) throw new CodedError('FORBIDDEN', { message: `scope ${scope} is missing`, metadata: { scope } });
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

const admit = (policy: Exclude<Policy, { access: 'public' }>, caller: Caller): Caller => {
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

/**
 * Authenticates the caller and checks it against a policy. A caller that the policy does not explicitly allow is rejected.
 * @param refused is told of a caller who was rejected after its token was accepted; the rejection waits for it
 * @returns undefined on public methods, whose tokens are ignored
 * @throws CodedError UNAUTHORIZED, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE
 */
export const authorize = async (
  policy: Policy,
  authenticate: Authenticator,
  authorization: string | null | undefined,
  peer?: ReadonlySet<string>,
  refused?: (caller: Caller, code: ErrorCode) => Promise<void>,
): Promise<Caller | undefined> => {
  if (policy.access === 'public') return undefined;
  const caller = await authenticate(authorization, peer);
  try {
    return admit(policy, caller);
  } catch (error) {
    await refused?.(caller, toCodedError(error).code);
    throw error;
  }
};
