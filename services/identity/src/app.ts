import { createOutboxRelay, createStreamPublisher } from '@florin/data/outbox';
import { publishRevocations, type RevokedSessionsDocument } from '@florin/data/revocations';
import { type Core, type ServiceParts, startService } from '@florin/data/service';
import { openChainNodes } from '@florin/evm/chain';
import { REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { JWKS_PATH } from '@florin/rpc/auth';
import { ConfigError } from '@florin/rpc/config';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { createLedgerAccounts, type LedgerAccounts } from './clients/ledger-accounts.ts';
import type { IdentityConfig } from './config.ts';
import { deriveKey } from './crypto/derive-key.ts';
import { createSealer } from './crypto/sealer.ts';
import { partnerOfDomain } from './domain/partners.ts';
import { SANDBOX_TERMS, type Term } from './domain/terms.ts';
import { implementations } from './handlers/index.ts';
import { createReceiveKycEvent } from './kyc/receive-event.ts';
import { createKycSessions } from './kyc/sessions.ts';
import { createOnboarding } from './onboarding/onboarding.ts';
import { startOnboardingSweeper } from './onboarding/sweeper.ts';
import { createCodes } from './otp/codes.ts';
import { createSendCode } from './otp/send-code.ts';
import { createSendLimits } from './otp/send-limits.ts';
import { choosePorts, type OutsidePorts } from './ports/choose-ports.ts';
import { createSandboxOutbox } from './ports/sandbox-outbox.ts';
import { createRegistrationLock } from './registration/lock.ts';
import type { RegistrationParts } from './registration/parts.ts';
import { findUserOfWallet, register } from './registration/saga.ts';
import { type PublishRevocations, startAnnouncements } from './sessions/announcements.ts';
import { createOwnerOf } from './sessions/owner-of.ts';
import { createPublishedRevocations } from './sessions/published-revocations.ts';
import { createSessions } from './sessions/sessions.ts';
import { createNonces } from './siwe/nonces.ts';
import { createProveWallet } from './siwe/prove-wallet.ts';
import { createWalletSignatures } from './siwe/wallet-signatures.ts';
import { createEmailClaims, createWalletClaims } from './store/claims.ts';
import { createFundsAnswerStore } from './store/funds-answers.ts';
import { createKycStandingStore } from './store/kyc-standings.ts';
import { createOnboardingMarkStore } from './store/onboarding-marks.ts';
import { createRegistrationStore } from './store/registrations.ts';
import { createSessionStore } from './store/sessions.ts';
import { createSigningKeyStore } from './store/signing-keys.ts';
import { createTermAcceptanceStore } from './store/term-acceptances.ts';
import { createUserStore } from './store/users.ts';
import { createAccessTokens } from './tokens/access-tokens.ts';
import { openKeyRing } from './tokens/key-ring.ts';
import { createRefreshTokens } from './tokens/refresh-tokens.ts';
import { createAddWallet } from './wallets/add-wallet.ts';
import type { WalletParts } from './wallets/parts.ts';
import { startWalletRemoval } from './wallets/remove-wallet.ts';

/** What a test may put in place of the real thing. */
export type IdentityOverrides = ServiceOverrides &
  Partial<OutsidePorts> & {
    ledger?: LedgerAccounts;
    publishRevocations?: PublishRevocations;
    /** Stands between the registration saga and everything that it calls, to fail where a process may be killed. */
    aroundRegistration?: (parts: RegistrationParts) => RegistrationParts;
    /** The same for what adds and removes wallets. */
    aroundWallets?: (parts: WalletParts) => WalletParts;
  };

/** @throws ConfigError when people would be made to accept examples */
const termsOf = ({ TERMS, ONBOARDING, SANDBOX }: IdentityConfig): readonly Term[] => {
  if (TERMS === undefined && ONBOARDING === 'kyc' && !SANDBOX) throw new ConfigError('TERMS: is required with ONBOARDING=kyc');
  return TERMS ?? SANDBOX_TERMS;
};

const build =
  (config: IdentityConfig, overrides: IdentityOverrides) =>
  async (core: Core): Promise<ServiceParts> => {
    const { logger, runtime, redis, defer } = core;
    const { connection } = core.store;
    const keyFor = (purpose: string): Uint8Array => deriveKey(config.IDENTITY_MASTER_KEY, purpose);

    const outbox = createSandboxOutbox(redis, runtime);
    const ports = { ...choosePorts(config, { outbox, runtime, defer }), ...overrides };
    const ledger =
      overrides.ledger ??
      createLedgerAccounts(core.connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readAccounts]));

    const keyRing = await openKeyRing(createSigningKeyStore(connection), createSealer(keyFor('signing-keys')), runtime, logger);
    defer(keyRing.close);
    const issueAccessToken = createAccessTokens(keyRing, runtime);

    const users = createUserStore(connection);
    const unguarded: RegistrationParts = {
      registrations: createRegistrationStore(connection),
      users,
      emailClaims: createEmailClaims(connection),
      walletClaims: createWalletClaims(connection),
      kyc: ports.kyc,
      ledger,
      runtime,
      activates: config.ONBOARDING === 'open',
    };
    const registration = overrides.aroundRegistration?.(unguarded) ?? unguarded;

    const sessionStore = createSessionStore(connection);
    const announcements = startAnnouncements({
      store: sessionStore,
      publish: overrides.publishRevocations ?? ((sessionIds) => publishRevocations(redis, sessionIds)),
      revoked: core.revoked,
      logger,
    });
    defer(announcements.close);
    const revocations = createPublishedRevocations(sessionStore, runtime);
    const sessions = createSessions({
      store: sessionStore,
      announcements,
      runtime,
      issueAccessToken,
      refreshTokens: createRefreshTokens(keyFor('refresh-tokens')),
      // A wallet may sign in at several partners; its user shows at the one where it registered.
      userIdOf: async (wallet, partnerId) => {
        const user = await findUserOfWallet(unguarded, wallet);
        return user?.partnerId === partnerId ? user.id : undefined;
      },
    });

    const unguardedWallets: WalletParts = { users, walletClaims: unguarded.walletClaims };
    const wallets = overrides.aroundWallets?.(unguardedWallets) ?? unguardedWallets;
    const removal = startWalletRemoval({
      ...wallets,
      sessions,
      ...runtime,
      logger,
    });
    defer(removal.close);

    const nonces = createNonces(redis);
    const isSignedByWallet = createWalletSignatures(openChainNodes(config, runtime.now), config.CHAIN_ID);
    const partnerOf = (domain: string) => partnerOfDomain(config.PARTNERS, domain, config.SANDBOX);

    const codes = createCodes({ redis, runtime, key: keyFor('otp'), sealer: createSealer(keyFor('otp-recipients')) });

    const relay = createOutboxRelay({ model: users.model, publish: createStreamPublisher(redis, 'identity'), logger });
    defer(relay.close);

    const terms = termsOf(config);
    const questions = config.SOURCE_OF_FUNDS;
    const acceptances = createTermAcceptanceStore(connection);
    const fundsAnswers = createFundsAnswerStore(connection);
    const marks = createOnboardingMarkStore(connection);
    const mode = config.ONBOARDING;
    const onboarding = createOnboarding({ mode, terms, questions, acceptances, fundsAnswers, users, marks, ledger, runtime });
    const kycStandings = createKycStandingStore(users.model);
    const receiveKycEvent = createReceiveKycEvent({ standings: kycStandings, onboarding, runtime, published: relay.kick });
    defer(startOnboardingSweeper({ marks, onboarding, runtime, logger }).close);

    return {
      userTokens: { keys: keyRing.verifier, revocations },
      documents: {
        [JWKS_PATH]: async () => keyRing.published(),
        [REVOKED_SESSIONS_PATH]: async (): Promise<RevokedSessionsDocument> => ({ sessions: [...(await revocations())] }),
      },
      implementations: implementations({
        runtime,
        nonces,
        proveWallet: createProveWallet({ nonces, runtime, isSignedByWallet, partnerOf }),
        sessions,
        ownerOf: createOwnerOf(users),
        issueAccessToken,
        rotateKey: keyRing.rotate,
        users,
        addWalletTo: createAddWallet({ ...wallets, removal, ...runtime }),
        removeWalletFrom: removal.remove,
        codes,
        sendCode: createSendCode(codes, createSendLimits({ redis, runtime, key: keyFor('otp-limits') })),
        mailer: ports.mailer,
        texter: ports.texter,
        chainId: config.CHAIN_ID,
        partnerOf,
        partnerNameOf: (id) => config.PARTNERS.find((partner) => partner.id === id)?.name ?? 'Florin',
        lock: createRegistrationLock(redis),
        isRegistered: async (wallet) => (await findUserOfWallet(registration, wallet)) !== undefined,
        register: (input) => register(registration, input),
        terms,
        acceptances,
        questions,
        fundsAnswers,
        kycStandings,
        kycSessions: createKycSessions({ provider: ports.kyc, redis, sealer: createSealer(keyFor('kyc-sessions')), runtime }),
        receiveKycEvent,
        kycWebhookSecret: config.KYC_WEBHOOK_SECRET,
        onboardingMode: mode,
        onboarding,
        ledger,
        ...(config.SANDBOX ? { outbox } : {}),
      }),
    };
  };

/** Wires the identity service and starts it. @throws ConfigError */
export const createApp = (config: IdentityConfig, overrides: IdentityOverrides = {}): Promise<App> =>
  startService('identity', config, overrides, build(config, overrides));
