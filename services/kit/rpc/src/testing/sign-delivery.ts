import { createHmac } from 'node:crypto';

/** Signs a webhook as a provider does: `t=<seconds>,v1=<hex of HMAC-SHA256>`, with one v1 for each secret. */
export const signDelivery = (body: string | Uint8Array, at: Date, ...secrets: readonly string[]): string => {
  const time = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
  return [`t=${time}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
};
