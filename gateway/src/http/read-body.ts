import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { CodedError } from '@florin/rpc/errors';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { BODY_LIMIT_BYTES } from '../config.ts';
import type { Delivery, Route } from './define-route.ts';

const MAX_SIGNATURE_LENGTH = 2048;

type Parse = (request: Request, response: Response) => Promise<void>;

// Compressed bodies are rejected (415): a body of at most 64 KiB does not need compression, and an inflated size is hard to bound.
const LIMITS = { limit: BODY_LIMIT_BYTES, inflate: false, type: () => true };

const toParse = (parser: RequestHandler): Parse => promisify(parser) as Parse;

/** RFC 8259, section 8.1: JSON is UTF-8. Decoding would silently replace invalid bytes. */
const requireUtf8 = (_request: unknown, _response: unknown, bytes: Buffer): void => {
  if (!isUtf8(bytes)) throw new Error('the body is not valid UTF-8');
};

// `strict: false` accepts any JSON value, so that a body that is not an object is a validation error rather than a malformed body.
const parseJson = toParse(express.json({ ...LIMITS, strict: false, verify: requireUtf8 }));
const parseBytes = toParse(express.raw(LIMITS));

const isEmpty = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] === undefined || headers['content-length'] === '0');

/**
 * Parses a JSON body into `request.body`, which stays undefined when there is no body.
 * @throws CodedError UNSUPPORTED_MEDIA_TYPE, UNSUPPORTED_CONTENT_ENCODING, and the errors of express's body parser
 */
export const readBody = async (request: Request, response: Response): Promise<void> => {
  if (isEmpty(request)) return;
  // Before the type, because a sender that compresses rarely has a wrong type as well.
  if (!/^(?:identity)?$/i.test(request.get('content-encoding') ?? '')) throw new CodedError('UNSUPPORTED_CONTENT_ENCODING');
  if (request.is('application/json') === false) throw new CodedError('UNSUPPORTED_MEDIA_TYPE');
  await parseJson(request, response);
};

/** Reads the body of a request to an operation that has none, so that nothing that was sent is ignored: false if it cannot be read. */
export const readStrayBody = async (request: Request, response: Response): Promise<void> => {
  if (isEmpty(request)) return;
  try {
    await parseJson(request, response);
  } catch {
    request.body = false;
  }
};

/** Reads the unparsed bytes of a webhook delivery, of any media type. @throws the errors of express's body parser */
export const readDelivery = async (webhook: NonNullable<Route['webhook']>, request: Request, response: Response): Promise<Delivery> => {
  await parseBytes(request, response);
  const body: unknown = request.body;
  return {
    body: body instanceof Uint8Array ? body : new Uint8Array(),
    signature: (request.get(webhook.signatureHeader) ?? '').slice(0, MAX_SIGNATURE_LENGTH),
  };
};
