import { type DescMessage, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Caller, type MethodRules, method as methodOption } from '@florin/proto/options/v1/options';
import { type ErrorCode, isErrorCode } from '../errors/index.ts';

/** Callers that a method admits. */
export type Policy =
  | { access: 'public' }
  /** A signed-in wallet, registered or not. */
  | { access: 'wallet' }
  /** A registered user. */
  | { access: 'user' }
  /** A service whose token carries the scope; a partner's client, about the partner's users, with a scope of its own if there is one. */
  | { access: 'service'; scope: string; partnerScope?: string }
  /** The same, unless the client is a person. */
  | { access: 'process'; scope: string }
  | { access: 'userOrService'; scope: string; partnerScope?: string };

/** The facts of an RPC that its contract states (florin.options.v1). */
export type Rules = {
  policy: Policy;
  /** The codes that are the RPC's own. */
  ownErrors: ReadonlySet<ErrorCode>;
  /** All codes that it may answer. */
  errors: ReadonlySet<ErrorCode>;
  /** Path of the field that holds the idempotency key of a request. */
  key: string | undefined;
  /** Names of the request's fields that identify whom or what it is about. */
  subjects: ReadonlySet<string>;
};

const ACCESS: Readonly<Record<string, Policy['access']>> = {
  [String([Caller.ANYONE])]: 'public',
  [String([Caller.WALLET])]: 'wallet',
  [String([Caller.USER])]: 'user',
  [String([Caller.SERVICE])]: 'service',
  [String([Caller.PROCESS])]: 'process',
  [String([Caller.USER, Caller.SERVICE])]: 'userOrService',
};

const requireScope = (scope: string): string => {
  if (scope === '') throw new Error('it has no scope');
  return scope;
};

const readPolicy = ({ callers, scope, partnerScope }: MethodRules): Policy => {
  const access = ACCESS[String([...callers].sort())];
  switch (access) {
    case undefined:
      throw new Error('its callers are none, or a combination that is not supported');
    case 'public':
    case 'wallet':
    case 'user':
      if (scope + partnerScope !== '') throw new Error('it has a scope, and no service may call it');
      return { access };
    case 'process':
      if (partnerScope !== '') throw new Error('it has a scope of partners, and is for processes');
      return { access, scope: requireScope(scope) };
    default:
      return { access, scope: requireScope(scope), ...(partnerScope === '' ? {} : { partnerScope }) };
  }
};

/** Every RPC may answer these: the process, an engine or another service failed. */
const FAULTS: readonly ErrorCode[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

const BY_ACCESS: Readonly<Record<Policy['access'], readonly ErrorCode[]>> = {
  public: [],
  wallet: ['UNAUTHORIZED', 'FORBIDDEN'],
  user: ['UNAUTHORIZED', 'FORBIDDEN', 'USER_NOT_REGISTERED'],
  service: ['UNAUTHORIZED', 'FORBIDDEN', 'REASON_REQUIRED', 'VALIDATION_FAILED'],
  process: ['UNAUTHORIZED', 'FORBIDDEN'],
  userOrService: ['UNAUTHORIZED', 'FORBIDDEN', 'USER_NOT_REGISTERED', 'REASON_REQUIRED', 'VALIDATION_FAILED'],
};

/** The codes that follow from the other rules of an RPC, which contracts therefore do not list. */
const impliedErrors = ({ input, methodKind }: DescMethod, { access }: Policy): readonly ErrorCode[] => [
  ...FAULTS,
  ...BY_ACCESS[access],
  ...(input.fields.length > 0 ? (['VALIDATION_FAILED'] as const) : []),
  ...(methodKind === 'unary' ? [] : (['STREAM_LIMIT_REACHED'] as const)),
];

const requireField = (input: DescMessage, path: string): void => {
  let message: DescMessage | undefined = input;
  for (const name of path.split('.')) {
    const field: DescMessage['fields'][number] | undefined = message?.fields.find((one) => one.name === name);
    if (field === undefined) throw new Error(`its request has no field ${path}`);
    message = field.message;
  }
};

/** An RPC that partners may call is about one of their users, changes nothing, and is served by `beginUnary`, which checks the user. */
const requirePartnerRules = ({ input, methodKind, idempotency }: DescMethod, errors: readonly string[]): void => {
  requireField(input, 'user_id');
  if (methodKind !== 'unary' || idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    throw new Error('it has a scope of partners, and has side effects or streams');
  if (!errors.includes('USER_NOT_FOUND')) throw new Error('it has a scope of partners, and does not list USER_NOT_FOUND');
};

const readRules = (desc: DescMethod): Rules => {
  const option = getOption(desc, methodOption);
  const policy = readPolicy(option);
  const implied = impliedErrors(desc, policy);
  const own = option.errors.map((code) => {
    if (!isErrorCode(code)) throw new Error(`${code} is no error code`);
    if (implied.includes(code)) throw new Error(`${code} follows from its other rules, and is not listed`);
    return code;
  });
  if ('partnerScope' in policy) requirePartnerRules(desc, option.errors);
  const key = option.key === '' ? undefined : option.key;
  if (key === undefined && own.includes('IDEMPOTENCY_KEY_REUSED')) throw new Error('it lists IDEMPOTENCY_KEY_REUSED, and has no key');
  for (const path of [...option.subjects, ...(key === undefined ? [] : [key])]) requireField(desc.input, path);
  return { policy, ownErrors: new Set(own), errors: new Set([...implied, ...own]), key, subjects: new Set(option.subjects) };
};

const known = new WeakMap<DescMethod, Rules>();

/**
 * The rules of an RPC, from its contract.
 * @returns undefined if the contract states none
 * @throws Error that names the RPC when its rules contradict each other or its request
 */
export const rulesOf = (desc: DescMethod): Rules | undefined => {
  if (!hasOption(desc, methodOption)) return undefined;
  let rules = known.get(desc);
  if (rules === undefined) {
    try {
      rules = readRules(desc);
    } catch (error) {
      throw new Error(`${desc.parent.typeName}/${desc.name}: ${(error as Error).message}`);
    }
    known.set(desc, rules);
  }
  return rules;
};
