import { CodedError } from '@florin/rpc/errors';
import express, { type Request, type Response } from 'express';
import { BODY_LIMIT_BYTES } from '../config.ts';
import { runParser } from './run-parser.ts';

// Any JSON value is let through, so that a body that is no object is a validation error and not an unreadable one. Compressed
// bodies are refused (415): nothing of 64 KiB needs them, and what inflates is hard to bound.
const parseJson = express.json({ limit: BODY_LIMIT_BYTES, strict: false, inflate: false, type: () => true });

const isEmpty = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] === undefined || headers['content-length'] === '0');

/**
 * Reads a JSON body into `request.body`; an absent body stays undefined.
 * @throws CodedError UNSUPPORTED_MEDIA_TYPE, and the body parser's own errors
 */
export const readBody = async (request: Request, response: Response): Promise<void> => {
  if (isEmpty(request)) return;
  if (request.is('application/json') === false) throw new CodedError('UNSUPPORTED_MEDIA_TYPE');
  await runParser(parseJson, request, response);
};
