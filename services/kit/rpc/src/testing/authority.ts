import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { v7 } from 'uuid';
import {
  type ServiceKey,
  type ServiceTrust,
  serviceKeySchema,
  signServiceToken,
  USER_TOKEN_AUDIENCE,
  USER_TOKEN_ISSUER,
  USER_TOKEN_TYPE,
} from '../auth/index.ts';

export type TestUser = { wallet: string; userId?: string; partnerId?: string; sessionId?: string; signedInAt?: Date };

const newKey = async (kid: string): Promise<ServiceKey> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return serviceKeySchema.parse({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' });
};

const publicHalf = ({ d: _private, ...key }: ServiceKey) => key;

/**
 * Creates the keys of a platform for tests: issues real user and service tokens without the identity service.
 * @param people names of the clients that are people
 * @param partners partners by the names of the clients that belong to them
 */
export const createTestAuthority = async (
  clients: Readonly<Record<string, readonly string[]>>,
  people: readonly string[] = [],
  partners: Readonly<Record<string, string>> = {},
) => {
  const userKey = await newKey('test-user-key');
  const keys = new Map<string, ServiceKey>();
  for (const name of Object.keys(clients)) keys.set(name, await newKey(name));
  const serviceKey = (name: string): ServiceKey => {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`${name} is not a client of this test authority`);
    return key;
  };
  const trust: ServiceTrust = {
    clients: Object.entries(clients).map(([name, scopes]) => ({
      name,
      key: publicHalf(serviceKey(name)),
      scopes: [...scopes],
      ...(people.includes(name) ? { person: true } : {}),
      ...(partners[name] === undefined ? {} : { partnerId: partners[name] }),
    })),
  };
  const serviceToken = (client: string, audience: string, scopes: readonly string[], expiresInSeconds = 300): Promise<string> =>
    signServiceToken({ key: serviceKey(client), audience, scopes, expiresInSeconds });
  return {
    trust,
    serviceKey,
    /** Private key that signs user tokens, with which a test can sign invalid ones. */
    userSigningKey: userKey,
    /** Key set to pass as `userKeys`. */
    userKeys: createLocalJWKSet({ keys: [publicHalf(userKey)] }),
    /** Issues a wallet token, or a user token when `userId` is given, as identity does. */
    userToken: (
      { wallet, userId, partnerId = 'florin', sessionId = v7(), signedInAt = new Date() }: TestUser,
      expiresAt: Date | string = '15m',
    ): Promise<string> =>
      new SignJWT({
        sid: sessionId,
        pid: partnerId,
        auth_time: Math.floor(signedInAt.getTime() / 1000),
        ...(userId === undefined ? {} : { uid: userId }),
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: userKey.kid, typ: USER_TOKEN_TYPE })
        .setIssuer(USER_TOKEN_ISSUER)
        .setAudience(USER_TOKEN_AUDIENCE)
        .setSubject(wallet)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(userKey),
    serviceToken,
    /** Options of a call by a service. */
    asService: async (client: string, audience: string, scopes: readonly string[]) => ({
      headers: { authorization: `Bearer ${await serviceToken(client, audience, scopes)}` },
    }),
  };
};

export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>;
