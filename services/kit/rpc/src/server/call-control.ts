import type { ServerResponse } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import type { CallControl } from './exchange.ts';

export type UnaryControl = CallControl & {
  /** Headers of the response, by lower-case name. */
  headers: Record<string, string | string[]>;
  /** Aborts the signal. */
  end(this: UnaryControl, reason: ConnectError): void;
};

/** A class, because the functions of an object literal would keep the whole request alive: see scripts/lint/no-object-accessors.grit. */
class ResponseControl implements UnaryControl {
  readonly headers: Record<string, string | string[]>;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;
  #ended: ConnectError | undefined;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.headers = { ...headers };
    this.#response = response;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  disconnected(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }

  setHeader(name: string, value: string): void {
    this.#append(name.toLowerCase(), value);
  }

  setTrailer(name: string, value: string): void {
    this.#append(`trailer-${name.toLowerCase()}`, value);
  }

  end(reason: ConnectError): void {
    this.#ended ??= reason;
    this.#controller?.abort(this.#ended);
  }

  #append(name: string, value: string): void {
    const known = this.headers[name];
    this.headers[name] = known === undefined ? value : [known, value].flat();
  }
}

/** Follows a unary call over HTTP/1.1 until its response is sent. */
export const createCallControl = (response: ServerResponse, headers: Readonly<Record<string, string>>): UnaryControl => {
  const control = new ResponseControl(response, headers);
  response.once('close', () => {
    if (control.disconnected()) control.end(new ConnectError('the caller closed the connection', Code.Canceled));
  });
  return control;
};
