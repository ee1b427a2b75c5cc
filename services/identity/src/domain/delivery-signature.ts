import { createHmac, timingSafeEqual } from 'node:crypto';

/** Largest difference between the time of a delivery and the clock: long enough for a queue, too short to replay a recorded delivery. */
const WINDOW_SECONDS = 5 * 60;

const MAX_HEADER_LENGTH = 1024;

/** While a secret is being replaced, the sender signs with the old one and the new one. */
const MAX_SIGNATURES = 5;

const HEX_SHA256 = /^[0-9a-f]{64}$/;

const parse = (header: string): { time: string; signatures: string[] } | undefined => {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  const parts = header.split(',').map((part) => part.trim().split('=', 2));
  const times = parts.flatMap(([name, value]) => (name === 't' ? [value ?? ''] : []));
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' ? [value ?? ''] : []));
  const [time] = times;
  if (time === undefined || times.length > 1 || !/^\d{1,12}$/.test(time)) return undefined;
  if (signatures.length > MAX_SIGNATURES) return undefined;
  return { time, signatures: signatures.filter((signature) => HEX_SHA256.test(signature)) };
};

export type Delivery = {
  /** The bytes as received. The signature covers them, not their parsed content. */
  body: Uint8Array;
  /** `t=<seconds since 1970>,v1=<hex>[,v1=<hex>…]` */
  header: string;
};

/**
 * Reports whether a delivery was signed with `secret` (HMAC-SHA-256 over `<t>.<body>`) within five minutes of `now`. Compares in constant
 * time. Returns false for a malformed header; never throws.
 */
export const isGenuineDelivery = ({ body, header }: Delivery, secret: string, now: Date): boolean => {
  const parsed = parse(header);
  if (parsed === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${parsed.time}.`).update(body).digest();
  // Compares every signature, so that the time taken does not depend on which one matches.
  const matching = parsed.signatures.filter((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected));
  const distance = Math.abs(now.getTime() / 1000 - Number(parsed.time));
  return matching.length > 0 && distance <= WINDOW_SECONDS;
};
