import type { ServerResponse } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import type { CallControl } from './exchange.ts';

export type UnaryControl = CallControl & {
  /** Headers of the response, by lower-case name. */
  headers: Record<string, string | string[]>;
  /** Aborts the signal. */
  end: (reason: ConnectError) => void;
};

const append = (headers: UnaryControl['headers'], name: string, value: string): void => {
  const known = headers[name];
  headers[name] = known === undefined ? value : [known, value].flat();
};

/** Follows a unary call over HTTP/1.1 until its response is sent. */
export const createCallControl = (response: ServerResponse, headers: Readonly<Record<string, string>>): UnaryControl => {
  let controller: AbortController | undefined;
  let ended: ConnectError | undefined;
  const end = (reason: ConnectError): void => {
    ended ??= reason;
    controller?.abort(ended);
  };
  const disconnected = (): boolean => response.closed && !response.writableFinished;
  response.once('close', () => {
    if (disconnected()) end(new ConnectError('the caller closed the connection', Code.Canceled));
  });
  const control: UnaryControl = {
    get signal() {
      controller ??= new AbortController();
      if (ended !== undefined) controller.abort(ended);
      return controller.signal;
    },
    disconnected,
    headers: { ...headers },
    setHeader: (name, value) => append(control.headers, name.toLowerCase(), value),
    setTrailer: (name, value) => append(control.headers, `trailer-${name.toLowerCase()}`, value),
    end,
  };
  return control;
};
