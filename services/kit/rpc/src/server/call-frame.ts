import type { Authenticator, Caller } from '../auth/index.ts';
import { type CodedError, ERRORS } from '../errors/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Logger } from '../observe/index.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from '../request-id/index.ts';
import type { AuditTrail } from './audit.ts';
import { authorize } from './authorize.ts';
import type { Call, Policy } from './method.ts';
import type { StreamSlots } from './stream-slots.ts';

/** Dependencies shared by all methods of a server. */
export type Surroundings = {
  authenticate: Authenticator;
  logger: Logger;
  metrics?: Pick<Metrics, 'rpcServed'> | undefined;
  /** Aborts with SERVICE_UNAVAILABLE when the server closes. Calls end by themselves; streams do not. */
  closing: AbortSignal;
  /** Where calls by people are recorded. Without it such calls are rejected. */
  audit?: AuditTrail;
  /** Counts the streams of the process. */
  streams: StreamSlots;
  /** How long a stream that has ended waits for its reader before the response is cut, in milliseconds. */
  cutAfterMs: number;
};

type Fields = { requestId: string; rpc: string; ms: number; messages?: number; aborted?: true };

/**
 * Measures a call and logs one line for it: faults at level error, rejected calls at level info. A caller that disconnects is no fault,
 * even if the call fails as a consequence.
 */
export const recordCall = (
  { logger, metrics }: Pick<Surroundings, 'logger' | 'metrics'>,
  fields: Fields,
  error: CodedError | undefined,
): void => {
  metrics?.rpcServed(fields.rpc, error?.code ?? 'OK', fields.ms);
  if (error === undefined) {
    logger.info(fields, 'rpc');
  } else if (ERRORS[error.code].http >= 500 && fields.aborted !== true) {
    logger.error({ ...fields, error: error.code, err: error }, 'rpc failed');
  } else {
    logger.info({ ...fields, error: error.code }, 'rpc rejected');
  }
};

/** A call that has been authorized, without the parts that the protocol provides. */
export type Admitted = { caller: Caller | undefined; token: string };

/**
 * Starts a call: assigns its request id, and authorizes the caller by the policy.
 * @param header returns a header of the request by its lower-case name
 * @param peer DNS names in the peer's certificate; undefined without mutual TLS
 */
export const startCall = (
  policy: Policy,
  rpc: string,
  { authenticate, logger }: Surroundings,
  header: (name: string) => string | null | undefined,
  peer: ReadonlySet<string> | undefined,
) => {
  const started = performance.now();
  const requestId = requestIdFrom(header(REQUEST_ID_HEADER));
  return {
    requestId,
    /** Fields of the line that is logged for the call. */
    fields: (): Fields => ({ requestId, rpc, ms: Math.round((performance.now() - started) * 10) / 10 }),
    /** @throws CodedError UNAUTHORIZED, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE */
    admit: async (): Promise<Admitted> => {
      const authorization = header('authorization');
      const caller = await authorize(policy, authenticate, authorization, peer);
      return { caller, token: caller === undefined ? '' : (authorization ?? '').replace(/^Bearer +/i, '') };
    },
    /** Builds the context of the handler. The logger and the signal are created on first use, because most handlers use neither. */
    callOf: ({ caller, token }: Admitted, control: { readonly signal: AbortSignal }): Call<Caller | undefined> => {
      let child: Logger | undefined;
      return {
        caller,
        requestId,
        token,
        header: (name) => header(name) ?? null,
        get signal() {
          return control.signal;
        },
        get logger() {
          child ??= logger.child({ requestId });
          return child;
        },
      };
    },
  };
};
