import type { Client } from '@connectrpc/connect';
import type { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { LRUCache } from 'lru-cache';
import { CodedError } from '../errors/index.ts';
import { headerOf } from './authenticator.ts';
import { createServiceTokenVerifier, PARTNER_TOKEN_AUDIENCE, type ServiceTokenVerifier } from './service-token.ts';
import { tokenRejected } from './token-problem.ts';

/** A key of a partner's server that identity has registered. */
export type RegisteredClient = { partnerId: string; x: string; scopes: readonly string[] };

/** Finds a registered key that may sign, by its thumbprint. Rejects while identity cannot be asked. */
export type FindRegisteredClient = (clientId: string) => Promise<RegisteredClient | undefined>;

/** Time for which an answer of identity is used: a revocation, or a registration, takes effect within it. */
const ANSWER_MS = 1000;

/** Answers, and verifiers with the tokens that they remember, that a process keeps. */
const MAX_ANSWERS = 10_000;
const MAX_VERIFIERS = 1000;

/** A registered client has the thumbprint of its key as its id (RFC 7638). */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Asks identity. */
export const findRegisteredClientAt =
  (identity: Pick<Client<typeof PartnerClientService>, 'getPartnerClient'>): FindRegisteredClient =>
  async (clientId) => {
    try {
      const { client } = await identity.getPartnerClient({ clientId });
      return client;
    } catch (error) {
      if (error instanceof CodedError && error.code === 'PARTNER_KEY_NOT_FOUND') return undefined;
      throw error;
    }
  };

/**
 * Verifies the tokens of the clients in a trust, and besides those of the partners' servers whose keys identity has registered. They are clients of a partner, with
 * what that permits, whatever the trust contains. The token's `kid` chooses: a name in the trust is a client of the trust, and a thumbprint that is none a registered key.
 * @param trusted verifies the tokens of the trust @param isTrusted reports whether a client of the trust has this name, now
 * @throws CodedError as `trusted`, and SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while identity cannot be asked about a key that is not in the trust
 */
export const withRegisteredClients = (
  trusted: ServiceTokenVerifier,
  isTrusted: (name: string) => boolean,
  find: FindRegisteredClient,
): ServiceTokenVerifier => {
  const answers = new LRUCache<string, Promise<RegisteredClient | undefined>>({ max: MAX_ANSWERS, ttl: ANSWER_MS });
  const verifiers = new LRUCache<string, { content: string; verify: ServiceTokenVerifier }>({ max: MAX_VERIFIERS });

  const ask = (clientId: string): Promise<RegisteredClient | undefined> => {
    const known = answers.get(clientId);
    if (known !== undefined) return known;
    const answer = find(clientId);
    answers.set(clientId, answer);
    answer.catch(() => answers.delete(clientId));
    return answer;
  };

  const verifierOf = async (clientId: string): Promise<ServiceTokenVerifier | undefined> => {
    const client = await ask(clientId);
    if (client === undefined) return undefined;
    const { partnerId, x, scopes } = client;
    const content = JSON.stringify([partnerId, x, scopes]);
    const known = verifiers.get(clientId);
    if (known?.content === content) return known.verify;
    const key = { kty: 'OKP', crv: 'Ed25519', x, kid: clientId, alg: 'EdDSA' } as const;
    const verify = createServiceTokenVerifier(PARTNER_TOKEN_AUDIENCE, {
      clients: [{ name: clientId, key, scopes: [...scopes], partnerId }],
    });
    verifiers.set(clientId, { content, verify });
    return verify;
  };

  return async (token) => {
    const { kid } = headerOf(token);
    if (typeof kid !== 'string' || !THUMBPRINT.test(kid) || isTrusted(kid)) return trusted(token);
    const verify = await verifierOf(kid);
    if (verify === undefined) throw tokenRejected('unknown_key');
    return verify(token);
  };
};
