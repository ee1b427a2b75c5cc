import { isIP } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import type { Message } from '../domain/webhooks/message.ts';
import { parseRetryAfter } from '../domain/webhooks/schedule.ts';
import { type Signers, signatureOf } from '../domain/webhooks/signing.ts';
import type { AddressRule } from '../guard/public-address.ts';
import { hostOf } from '../guard/webhook-url.ts';
import { ForbiddenAddressError } from './dispatcher.ts';

/** The outcome of one attempt. */
export type Sent = {
  /** 0 without an answer. */
  status: number;
  /** Why there was none; empty with one. */
  failure: string;
  /** The first KiB of the answer. */
  answer: string;
  durationMs: number;
  /** The pause that the receiver asked for. */
  retryAfterMs?: number;
};

export const isSuccess = ({ status }: Pick<Sent, 'status'>): boolean => status >= 200 && status < 300;

/** Sends a message to a URL, once. Rejects only when it cannot be signed, which is no failure of the receiver: nothing was sent then. */
export type Send = (url: string, message: Message, signers: Signers) => Promise<Sent>;

const ANSWER_BYTES = 1024;

/** Time for the body of an answer, in milliseconds: its status has decided already. */
const BODY_MS = 1000;

/** Codes of errors before there was a connection. */
const CONNECT_FAILED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM']);
const NAME_NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'ECANCELLED']);
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'ETIMEOUT']);
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/;

/** Names the cause of an error in a word. */
const failureOf = (error: unknown): string => {
  if (error instanceof ForbiddenAddressError) return 'address_forbidden';
  const { name, code = '', cause } = error as { name: string; code?: string; cause?: unknown };
  if (cause instanceof ForbiddenAddressError) return 'address_forbidden';
  if (name === 'TimeoutError' || TIMEOUTS.has(code)) return 'timeout';
  if (NAME_NOT_FOUND.has(code)) return 'name_not_found';
  if (CONNECT_FAILED.has(code)) return 'connect_failed';
  if (TLS_CODE.test(code)) return 'tls_failed';
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_invalid';
  return 'connection_closed';
};

/** Reads the beginning of a body, for a limited time, and ends the connection if there is more. */
const readBeginning = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), BODY_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch {
    // The connection ended early, or the time was over: what came is kept.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').toWellFormed();
};

type Parts = { dispatcher: Dispatcher; isAllowed: AddressRule; now: () => Date; timeoutMs: number };

/** Headers of Standard Webhooks beside the signature. */
const headersOf = ({ id }: Message, timestamp: number, signature: string) => ({
  'content-type': 'application/json',
  'user-agent': 'Florin-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});

/** @param timeoutMs time for connecting and the answer's status together */
export const createSend =
  ({ dispatcher, isAllowed, now, timeoutMs }: Parts): Send =>
  async (url, message, signers) => {
    const started = performance.now();
    const at = now();
    const timestamp = Math.floor(at.getTime() / 1000);
    const { body } = message;
    const signed = headersOf(message, timestamp, signatureOf(signers, { id: message.id, timestamp, body }));
    const done = (sent: Pick<Sent, 'status' | 'failure' | 'answer' | 'retryAfterMs'>): Sent => ({
      ...sent,
      durationMs: Math.round(performance.now() - started),
    });
    try {
      const target = new URL(url);
      // An address is connected to without a look-up.
      if (isIP(hostOf(target)) !== 0 && !isAllowed(hostOf(target))) throw new ForbiddenAddressError();
      const { statusCode, headers, ...response } = await dispatcher.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: signed,
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: BODY_MS,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const retryAfter = headers['retry-after'];
      const retryAfterMs = typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, at) : undefined;
      const answer = await readBeginning(response.body);
      return done({ status: statusCode, failure: '', answer, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
    } catch (error) {
      return done({ status: 0, failure: failureOf(error), answer: '' });
    }
  };
