import type { Authenticator, BelongsToPartner, Caller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { type CodedError, ERRORS } from '../errors/index.ts';
import type { Metrics } from '../metrics.ts';
import { createCallLogger, type Logger } from '../observe/index.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from '../request-id.ts';
import type { Slots } from '../slots.ts';
import { beginCall, type CallContext, type CallIds, idsOf, recordedTraceId, rpcAttributes, type Tracing } from '../tracing/index.ts';
import type { AuditTrail, RecordRefusal } from './audit.ts';
import { authorize } from './authorize.ts';
import type { Call } from './method.ts';

/** Dependencies shared by all methods of a server. */
export type Surroundings = {
  authenticate: Authenticator;
  logger: Logger;
  metrics?: Pick<Metrics, 'rpcServed'> | undefined;
  tracing?: Tracing | undefined;
  /** Hears of every call that failed by a fault of this side. */
  failed?: ((error: CodedError) => void) | undefined;
  /** Aborts with SERVICE_UNAVAILABLE when the server closes. Calls end by themselves; streams do not. */
  closing: AbortSignal;
  /** Where calls by people are recorded. Without it such calls are rejected. */
  audit?: AuditTrail;
  /** Records there that a person was refused. */
  recordRefusal: RecordRefusal;
  /** Whose users partners ask about. Without it their calls about users are rejected. */
  belongsToPartner?: BelongsToPartner | undefined;
  /** Fails calls whose method raises a code that its contract does not list, for development and tests. Elsewhere the code is sent, and logged. */
  strictErrors?: boolean;
  /** Counts the streams of the process. */
  streams: Slots<string>;
  /** How long a stream that has ended waits for its reader before the response is cut, in milliseconds. */
  cutAfterMs: number;
};

type Fields = CallIds & { rpc: string; ms: number; messages?: number; aborted?: true };

/** `admitted`: the caller was authorized. */
type Recorded = { fields: Fields; call: CallContext; admitted: boolean };

/**
 * Ends a call: measures it, ends its span, and logs one line for it: faults at level error, other calls at level info, and those of callers who are
 * not authenticated at level debug, because anybody could fill the log with them. A caller that disconnects is no fault, even if the call fails as a
 * consequence.
 */
export const recordCall = (
  { logger, metrics, tracing, failed }: Pick<Surroundings, 'logger' | 'metrics' | 'tracing' | 'failed'>,
  { fields, call, admitted }: Recorded,
  error: CodedError | undefined,
): void => {
  metrics?.rpcServed(fields.rpc, error?.code ?? 'OK', fields.ms, recordedTraceId(call.span));
  const fault = error !== undefined && ERRORS[error.code].http >= 500 && fields.aborted !== true;
  if (call.span !== undefined) tracing?.end(call.span, { code: error?.code, fault });
  if (error === undefined) logger.info(fields, 'rpc');
  else if (fault) logger.error({ ...fields, error: error.code, err: error }, 'rpc failed');
  else logger[error.code === 'UNAUTHORIZED' && !admitted ? 'debug' : 'info']({ ...fields, error: error.code }, 'rpc rejected');
  if (fault) failed?.(error);
  call.end();
};

/** A call that has been authorized, without the parts that the protocol provides. */
export type Admitted = { caller: Caller | undefined; token: string };

type Control = { readonly signal: AbortSignal };

/** The logger and the signal are created on first use, because most handlers use neither. A class: see scripts/lint/no-object-accessors.grit. */
class ServedCall implements Call<Caller | undefined> {
  readonly caller: Caller | undefined;
  readonly token: string;
  readonly requestId: string;
  readonly header: Call<unknown>['header'];
  readonly #control: Control;
  readonly #createLogger: () => Logger;
  #logger: Logger | undefined;

  constructor(
    { caller, token }: Admitted,
    requestId: string,
    header: Call<unknown>['header'],
    control: Control,
    createLogger: () => Logger,
  ) {
    this.caller = caller;
    this.token = token;
    this.requestId = requestId;
    this.header = header;
    this.#control = control;
    this.#createLogger = createLogger;
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#createLogger();
    return this.#logger;
  }
}

/**
 * Starts a call: assigns its request id, begins its span, and authorizes the caller by the policy.
 * @param header returns a header of the request by its lower-case name
 * @param peer DNS names in the peer's certificate; undefined without mutual TLS
 */
export const startCall = (
  policy: Policy,
  rpc: string,
  { authenticate, logger, tracing, recordRefusal }: Surroundings,
  header: (name: string) => string | null | undefined,
  peer: ReadonlySet<string> | undefined,
) => {
  const started = performance.now();
  const requestId = requestIdFrom(header(REQUEST_ID_HEADER));
  let admitted = false;
  const served = beginCall(
    requestId,
    tracing?.startServed(rpc, () => ({ ...rpcAttributes(rpc), 'florin.request_id': requestId }), header),
  );
  return {
    requestId,
    served,
    /** The record of the call, so far. */
    recorded: (more: Pick<Fields, 'messages' | 'aborted'> = {}): Recorded => ({
      fields: { ...idsOf(served), rpc, ms: Math.round((performance.now() - started) * 10) / 10, ...more },
      call: served,
      admitted,
    }),
    /** @throws CodedError UNAUTHORIZED, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE */
    admit: async (): Promise<Admitted> => {
      const authorization = header('authorization');
      const caller = await authorize(policy, authenticate, authorization, peer, (refused, code) =>
        recordRefusal({ caller: refused, rpc, requestId }, code),
      );
      admitted = true;
      return { caller, token: caller === undefined ? '' : (authorization ?? '').replace(/^Bearer +/i, '') };
    },
    /** Builds the context of the handler. */
    callOf: (admitted: Admitted, control: Control): Call<Caller | undefined> =>
      new ServedCall(
        admitted,
        requestId,
        (name) => header(name) ?? null,
        control,
        () => createCallLogger(logger, idsOf(served)),
      ),
  };
};
