import { Code, type ConnectError } from '@connectrpc/connect';

/** Error codes of undici and Node for a peer that cannot be reached or a connection that broke. */
const CODE =
  /^(?:UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|CLOSED|DESTROYED)|ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_SSL_|ERR_TLS_|CERT_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;

/** Reports whether `error` is a failed connection: it is then unknown whether the peer received anything. */
export const isConnectionFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && CODE.test(error.code);

/**
 * Reports whether a call failed before the service itself returned an error: the connection failed, or an intermediary returned
 * UNAVAILABLE. Errors that a service raises carry details (ErrorInfo). These are the failures after which an idempotent call is retried.
 */
export const isUnreachable = (error: ConnectError): boolean =>
  (error.code === Code.Unavailable && error.details.length === 0) || isConnectionFault(error.cause);
