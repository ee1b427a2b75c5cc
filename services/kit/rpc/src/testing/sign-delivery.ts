import { createHmac } from 'node:crypto';

/** The signature header of a webhook as a provider makes it: `t=<seconds>,v1=<hex>`, one v1 for each secret. */
export const signDelivery = (body: string | Uint8Array, at: Date, ...secrets: readonly string[]): string => {
  const time = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
  return [`t=${time}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
};
