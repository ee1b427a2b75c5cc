import { createHash } from 'node:crypto';

/** A key with which a server of a partner signs its tokens. */
export type PartnerClient = {
  /** Thumbprint of the key, so that a key is one client, whoever registers it. */
  clientId: string;
  partnerId: string;
  /** Name for people. */
  name: string;
  /** Public half of the key: `x` of an Ed25519 JWK (RFC 8037). */
  x: string;
  scopes: readonly string[];
  createdAt: Date;
  /** Name of the client that registered it, or issued its bootstrap token. */
  registeredBy?: string | undefined;
  /** When it ends by itself. */
  expiresAt?: Date | undefined;
  revokedAt?: Date | undefined;
  /** Name of the client that revoked it. */
  revokedBy?: string | undefined;
};

/** Thumbprint of an Ed25519 key (RFC 7638, section 3; its members: RFC 8037, section 2). */
export const keyThumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

/** Reports whether tokens of the client are accepted. */
export const maySign = ({ expiresAt, revokedAt }: Pick<PartnerClient, 'expiresAt' | 'revokedAt'>, now: Date): boolean =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
