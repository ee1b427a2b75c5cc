import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../crypto/derive-key.ts';

type Generation = { id: string; salt: string };

/** A parsed refresh token; not verified. */
export type PresentedRefreshToken = { sessionId: string; generation: number; proof: string };

export type RefreshTokens = {
  /** The session's token of one generation; always the same text. */
  tokenOf: (session: Generation, generation: number) => string;
  /** Reports whether identity issued the token. Compares in constant time. */
  isGenuine: (session: Generation, presented: PresentedRefreshToken) => boolean;
};

const FORMAT = /^(?<sessionId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?<generation>0|[1-9]\d{0,8})\.(?<proof>[A-Za-z0-9_-]{43})$/;

export const parseRefreshToken = (text: string): PresentedRefreshToken | undefined => {
  const { sessionId, generation, proof } = FORMAT.exec(text)?.groups ?? {};
  if (sessionId === undefined || generation === undefined || proof === undefined) return undefined;
  return { sessionId, generation: Number(generation), proof };
};

/**
 * Refresh tokens are derived, not random: `<session>.<generation>.<HMAC-SHA-256>`. A session stores one counter instead of token
 * hashes, every rotated token is recognized as such, and the successor of a repeated token can be derived again. Tokens are opaque to
 * clients and unpredictable without the key.
 * @param keys the first one derives, all of them verify
 */
export const createRefreshTokens = (keys: readonly [Uint8Array, ...Uint8Array[]]): RefreshTokens => {
  const [current] = keys;
  const proofOf = ({ id, salt }: Generation, generation: number, key = current): string => keyedHash(key, [id, salt, generation]);
  return {
    tokenOf: (session, generation) => `${session.id}.${generation}.${proofOf(session, generation)}`,
    isGenuine: (session, { generation, proof }) =>
      keys.some((key) => timingSafeEqual(Buffer.from(proofOf(session, generation, key)), Buffer.from(proof))),
  };
};
