import type { DescMethod } from '@bufbuild/protobuf';
import { type Policy, requestJudge, rulesOf } from '../contract/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { rpcOf } from './audit.ts';
import type { Callers, Method, StreamMethod } from './method.ts';

/** A method together with the rules of its contract. */
export type Bound<M extends Method<unknown, unknown> | StreamMethod<unknown, unknown>> = {
  method: M;
  policy: Policy;
  /** @throws CodedError VALIDATION_FAILED for a request that breaks the rules of its contract */
  judge: (request: object) => void;
  /** The error that a caller gets for one that the method has raised. */
  answerOf: (error: CodedError, reporting: { logger: Logger; strict: boolean }) => CodedError;
};

const CALLERS: Readonly<Record<Policy['access'], Callers>> = {
  public: 'public',
  wallet: 'wallet',
  user: 'user',
  service: 'service',
  process: 'service',
  userOrService: 'userOrService',
};

/** Adds the name of the key's field to IDEMPOTENCY_KEY_REUSED. Other errors are returned as they are. */
const withKeyField = (error: CodedError, field: string | undefined): CodedError => {
  if (field === undefined || error.code !== 'IDEMPOTENCY_KEY_REUSED') return error;
  return new CodedError(error.code, {
    message: `${field}: was used for a request with other content`,
    metadata: { field, ...error.metadata },
    cause: error,
  });
};

/** The callers that a policy admits, as methods name them. */
export const callersOf = ({ access }: Policy): Callers => CALLERS[access];

/**
 * Binds a method to the rules of its contract.
 * @throws Error when the contract states no rules, contradicts itself, or admits other callers than the method is written for
 */
export const bind = <M extends Method<unknown, unknown> | StreamMethod<unknown, unknown>>(desc: DescMethod, method: M): Bound<M> => {
  const rpc = rpcOf(desc);
  const rules = rulesOf(desc);
  if (rules === undefined) throw new Error(`${rpc} has no rules in its contract`);
  const { policy, errors, key } = rules;
  const callers = callersOf(policy);
  if (method.callers !== callers) throw new Error(`${rpc} is for callers of kind ${callers}, and its method for ${method.callers}`);
  return {
    method,
    policy,
    judge: requestJudge(desc.input) as (request: object) => void,
    answerOf: (error, { logger, strict }) => {
      if (errors.has(error.code)) return withKeyField(error, key);
      logger.error({ rpc, error: error.code, err: error }, 'a code that the contract does not list');
      return strict ? new CodedError('INTERNAL_ERROR', { message: `${error.code} is not in the contract of ${rpc}`, cause: error }) : error;
    },
  };
};
