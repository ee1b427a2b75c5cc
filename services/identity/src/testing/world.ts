import { randomUUID } from 'node:crypto';
import { createFieldCipher } from '@florin/data/encryption';
import { openRedis, type Redis } from '@florin/data/redis';
import { openStore, type Store } from '@florin/data/store';
import { testEnvironment } from '@florin/data/testing';
import { AuthService } from '@florin/proto/identity/v1/auth_service';
import { ErasureService } from '@florin/proto/identity/v1/erasure_service';
import { KeyService } from '@florin/proto/identity/v1/key_service';
import { KycService } from '@florin/proto/identity/v1/kyc_service';
import { OnboardingService } from '@florin/proto/identity/v1/onboarding_service';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { SandboxService } from '@florin/proto/identity/v1/sandbox_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { SessionService } from '@florin/proto/identity/v1/session_service';
import { SourceOfFundsService } from '@florin/proto/identity/v1/source_of_funds_service';
import { TermsService } from '@florin/proto/identity/v1/terms_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { WalletRecoveryService } from '@florin/proto/identity/v1/wallet_recovery_service';
import { WalletService } from '@florin/proto/identity/v1/wallet_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createRpcChannel, onBehalfOf } from '@florin/rpc/client';
import { type Environment, loadConfig } from '@florin/rpc/config';
import type { App } from '@florin/rpc/process';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createApp, type IdentityOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { emailKeyOf } from '../domain/email.ts';
import { emailClaimKey } from '../store/claims.ts';
import { startTestLedger } from './neighbours.ts';

export const DOMAIN = 'localhost:3000';
const URI = 'http://localhost:3000/login';

const SCOPES = {
  gateway: [IDENTITY_SCOPES.signIn, IDENTITY_SCOPES.readOutbox, IDENTITY_SCOPES.writeKyc, IDENTITY_SCOPES.registerPartners],
  card: [IDENTITY_SCOPES.verifyPhones, IDENTITY_SCOPES.checkPartners],
  threeds: [IDENTITY_SCOPES.readUsers],
  identity: [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readAccounts],
  operator: [IDENTITY_SCOPES.eraseUsers, PRIVACY_SCOPES.exportData, IDENTITY_SCOPES.rotateKeys, IDENTITY_SCOPES.revokeKeys],
  backoffice: [
    IDENTITY_SCOPES.writeRecoveries,
    IDENTITY_SCOPES.approveRecoveries,
    IDENTITY_SCOPES.readRecoveries,
    IDENTITY_SCOPES.readUsers,
    IDENTITY_SCOPES.readSessions,
    IDENTITY_SCOPES.endSessions,
    IDENTITY_SCOPES.takeKycBack,
    IDENTITY_SCOPES.invitePartners,
    IDENTITY_SCOPES.managePartnerKeys,
  ],
};

export const newEmail = (): string => `Person.${randomUUID().slice(0, 13)}@Example.org`;
export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());

/** The surroundings of the identity service under test: real engines, a ledger stand-in, a clock that the test controls. */
export const createWorld = async (environment: Environment = {}, common: IdentityOverrides = {}) => {
  const authority = await createTestAuthority(SCOPES);
  const ledger = await startTestLedger(authority);
  const clock = fakeClock();
  const masterKeys = JSON.stringify([{ id: '1', key: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url') }]);
  const env = testEnvironment('identity', authority, {
    LEDGER_URL: ledger.url,
    // Only an erasure calls them; its tests replace the client.
    CARD_URL: 'http://127.0.0.1:1',
    THREEDS_URL: 'http://127.0.0.1:1',
    VAULT_URL: 'http://127.0.0.1:1',
    IDENTITY_MASTER_KEYS: masterKeys,
    ...environment,
  });
  const config = loadConfig(configShape, env);
  const closers: (() => Promise<unknown>)[] = [ledger.close];

  const start = async (overrides: IdentityOverrides = {}, more: Environment = {}): Promise<App> => {
    const app = await createApp(loadConfig(configShape, { ...env, ...more }), { runtime: { now: clock.now }, ...common, ...overrides });
    closers.unshift(app.close);
    return app;
  };

  const clientsOf = (url: string) => {
    const channelAs = (client: keyof typeof SCOPES) => {
      const serviceToken = createServiceTokenSource({ key: authority.serviceKey(client), audience: 'identity', scopes: SCOPES[client] });
      const channel = createRpcChannel({ baseUrl: url, serviceToken, timeoutMs: 20_000 });
      closers.unshift(channel.close);
      return channel;
    };
    const gateway = channelAs('gateway');
    return {
      auth: gateway.client(AuthService),
      sessions: gateway.client(SessionService),
      codes: gateway.client(VerificationService),
      users: gateway.client(UserService),
      wallets: gateway.client(WalletService),
      sandbox: gateway.client(SandboxService),
      partnerClients: gateway.client(PartnerClientService),
      invitations: channelAs('backoffice').client(PartnerClientService),
      keysOfPartners: channelAs('backoffice').client(PartnerClientService),
      terms: gateway.client(TermsService),
      funds: gateway.client(SourceOfFundsService),
      kyc: gateway.client(KycService),
      onboarding: gateway.client(OnboardingService),
      recoveries: channelAs('backoffice').client(WalletRecoveryService),
      people: {
        users: channelAs('backoffice').client(UserService),
        sessions: channelAs('backoffice').client(SessionService),
        kyc: channelAs('backoffice').client(KycService),
        onboarding: channelAs('backoffice').client(OnboardingService),
      },
      recoveriesAsGateway: gateway.client(WalletRecoveryService),
      keys: channelAs('operator').client(KeyService),
      erasure: gateway.client(ErasureService),
      personalData: gateway.client(PersonalDataService),
      office: channelAs('operator').client(ErasureService),
      officeData: channelAs('operator').client(PersonalDataService),
      card: channelAs('card').client(VerificationService),
      usersAsCard: channelAs('card').client(UserService),
      threeds: channelAs('threeds').client(UserService),
    };
  };

  const store: Store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger: quietLogger });
  const redis: Redis = await openRedis(config.REDIS_URL, quietLogger);
  closers.push(async () => redis.destroy());
  closers.push(async () => {
    await store.connection.dropDatabase();
    await store.close();
  });

  const collection = (name: string) => store.connection.collection<{ _id: string | number } & Record<string, unknown>>(name);
  const cipher = createFieldCipher(config.FIELD_KEYS, config.FIELD_HASH_KEY);

  return {
    authority,
    ledger,
    cipher,
    clock,
    env,
    redis,
    start,
    clientsOf,
    collection,
    /** URL of another database of the same Redis, as if Redis had lost its data. Other tests share the usual one. */
    emptyRedisUrl: new URL('/9', config.REDIS_URL).href,
    /** Stored users with an e-mail address, in any spelling. */
    usersOf: async (email: string) => {
      const emailOf = ({ _id, email: stored }: Record<string, unknown>) =>
        cipher.decrypt(String(stored), { collection: 'users', id: String(_id), field: 'email' });
      return (await collection('users').find().toArray()).filter((user) => emailKeyOf(emailOf(user)) === emailKeyOf(email));
    },
    /** Reads an encrypted field of a stored document. */
    readField: (collection: string, document: Record<string, unknown> | null | undefined, field: string): string =>
      cipher.decrypt(String(document?.[field]), { collection, id: String(document?.['_id']), field }),
    /** `_id` of the claim of an e-mail address. */
    emailClaimId: (email: string, partnerId = 'florin'): string =>
      cipher.hash('email-claim', emailClaimKey({ partnerId, emailKey: emailKeyOf(email) })),
    close: async () => {
      for (const close of closers) await close();
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Clients = ReturnType<World['clientsOf']>;

export const as = (token: string) => onBehalfOf({ token, requestId: 'test-request' });

export const signIn = async ({ auth }: Clients, wallet: PrivateKeyAccount, domain = DOMAIN, uri = URI) => {
  const { message } = await auth.createSiweMessage({ address: wallet.address, domain, uri });
  const { tokens } = await auth.signIn({ message, signature: await wallet.signMessage({ message }) });
  if (tokens === undefined) throw new Error('sign-in returned no tokens');
  return tokens;
};

/** The newest code that was sent to a recipient. */
export const codeFor = async ({ sandbox }: Clients, to: string): Promise<string> => {
  const { messages } = await sandbox.listOutboxMessages({ to });
  return messages.find(({ code }) => code !== '')?.code ?? '';
};

/** Requests an e-mail code and reads it from the outbox. */
export const emailCode = async (clients: Clients, token: string, email: string): Promise<string> => {
  await clients.codes.sendEmailCode({ email }, as(token));
  return codeFor(clients, email);
};

/** Registers a fresh wallet. */
export const newUser = async (clients: Clients, wallet = newWallet(), email = newEmail()) => {
  const { accessToken, refreshToken } = await signIn(clients, wallet);
  const otp = await emailCode(clients, accessToken, email);
  const { userId, accessToken: userToken } = await clients.users.registerUser({ email, otp }, as(accessToken));
  return { wallet, email, otp, walletToken: accessToken, refreshToken, userId, userToken };
};

/** A code that differs from `code`. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
