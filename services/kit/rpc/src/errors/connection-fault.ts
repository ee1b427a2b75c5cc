import type { ConnectError } from '@connectrpc/connect';

/** What undici and Node say when the other side cannot be reached or the connection broke. */
const CODE = /^(?:UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|CLOSED|DESTROYED)|ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/;

/** Whether a call failed on its connection: nobody knows whether the other side has heard of it. */
export const isConnectionFault = ({ cause }: ConnectError): boolean =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' && CODE.test(cause.code);
