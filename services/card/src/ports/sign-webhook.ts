import { createHmac } from 'node:crypto';

type Message = { id: string; at: Date; body: string };

/**
 * The headers that prove the origin of a message (Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp in seconds and body).
 * @param secrets the keys; with more than one the message carries a signature of each, so that the receiver can change over
 */
export const webhookHeaders = (secrets: readonly Uint8Array[], { id, at, body }: Message): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64'));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signed.map((signature) => `v1,${signature}`).join(' '),
  };
};
