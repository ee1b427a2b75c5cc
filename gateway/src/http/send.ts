import type { Response } from 'express';

export type Answer = { status: number; body: unknown; headers?: Readonly<Record<string, string>> };

/** Sends a JSON answer. `no-store` unless something else was said before: forgetting it must not leak. */
export const sendJson = (response: Response, { status, body, headers = {} }: Answer): void => {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text);
};
