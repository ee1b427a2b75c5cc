import type { Response } from 'express';

export type Answer = { status: number; body: unknown; headers?: Readonly<Record<string, string>> };

type TextAnswer = { status: number; type: string; text: string; headers?: Readonly<Record<string, string>> };

/** Sends a complete response. `Cache-Control` defaults to `no-store`, so that an omission cannot leak data. */
const sendText = (response: Response, { status, type, text, headers = {} }: TextAnswer): void => {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(text);
};

/** Sends a JSON response. */
export const sendJson = (response: Response, { body, ...answer }: Answer): void =>
  sendText(response, { ...answer, type: 'application/json; charset=utf-8', text: JSON.stringify(body) });
