import express, { type Request, type Response } from 'express';
import { BODY_LIMIT_BYTES } from '../config.ts';
import type { Delivery, Route } from './define-route.ts';
import { runParser } from './run-parser.ts';

const MAX_SIGNATURE_LENGTH = 2048;

const parseRaw = express.raw({ limit: BODY_LIMIT_BYTES, inflate: false, type: () => true });

/** Reads a delivery as it came, whatever its media type. @throws the body parser's own errors */
export const readDelivery = async (webhook: NonNullable<Route['webhook']>, request: Request, response: Response): Promise<Delivery> => {
  await runParser(parseRaw, request, response);
  const body: unknown = request.body;
  return {
    body: body instanceof Uint8Array ? body : new Uint8Array(),
    signature: (request.get(webhook.signatureHeader) ?? '').slice(0, MAX_SIGNATURE_LENGTH),
  };
};
