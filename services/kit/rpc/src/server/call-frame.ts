import type { Authenticator, Caller } from '../auth/index.ts';
import { type CodedError, ERRORS } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from '../request-id/index.ts';
import type { AuditTrail } from './audit.ts';
import { authorize } from './authorize.ts';
import type { Call, Policy } from './method.ts';

/** Dependencies shared by all methods of a server. */
export type Surroundings = {
  authenticate: Authenticator;
  logger: Logger;
  /** Aborts with SERVICE_UNAVAILABLE when the server closes. Calls end by themselves; streams do not. */
  closing: AbortSignal;
  /** Where calls by people are recorded. Without it such calls are rejected. */
  audit?: AuditTrail;
};

type Fields = { rpc: string; ms: number; messages?: number; aborted?: true };

/** Logs one line per call: faults at level error, rejected calls at level info. */
export const logCall = (logger: Logger, fields: Fields, error: CodedError | undefined): void => {
  if (error === undefined) {
    logger.info(fields, 'rpc');
  } else if (ERRORS[error.code].http >= 500) {
    logger.error({ ...fields, error: error.code, err: error }, 'rpc failed');
  } else {
    logger.info({ ...fields, error: error.code }, 'rpc rejected');
  }
};

/**
 * Starts a call: assigns its request id and logger, and authorizes the caller by the policy.
 * @param header returns a header of the request by its lower-case name
 * @param peer DNS names in the peer's certificate; undefined without mutual TLS
 */
export const beginCall = (
  policy: Policy,
  rpc: string,
  { authenticate, logger }: Surroundings,
  header: (name: string) => string | null | undefined,
  peer: ReadonlySet<string> | undefined,
) => {
  const started = performance.now();
  const requestId = requestIdFrom(header(REQUEST_ID_HEADER));
  const child = logger.child({ requestId });
  return {
    requestId,
    logger: child,
    fields: (): Fields => ({ rpc, ms: Math.round((performance.now() - started) * 10) / 10 }),
    /** @throws CodedError UNAUTHORIZED, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE */
    admit: async (signal: AbortSignal): Promise<Call<Caller | undefined>> => {
      const authorization = header('authorization');
      const caller = await authorize(policy, authenticate, authorization, peer);
      const token = caller === undefined ? '' : (authorization ?? '').slice('Bearer '.length);
      return { caller, requestId, signal, logger: child, token, header: (name) => header(name) ?? null };
    },
  };
};
