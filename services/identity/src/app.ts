import { openFieldCipher, startRewrap } from '@florin/data/encryption';
import { startRetention } from '@florin/data/retention';
import { publishRevocations, type RevokedSessionsDocument } from '@florin/data/revocations';
import { type Core, type ServiceParts, startService, traceStores } from '@florin/data/service';
import { openChainNodes } from '@florin/evm/chain';
import { createChainContractSigners } from '@florin/evm/contract-signers';
import { signatureRecovery } from '@florin/evm/signatures';
import { REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { JWKS_PATH } from '@florin/rpc/auth';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { within } from '@florin/rpc/time';
import { createLedgerAccountsClient, type LedgerAccountsClient } from './clients/ledger-accounts.ts';
import { createPersonalDataClient, type PersonalDataClient } from './clients/personal-data.ts';
import type { IdentityConfig } from './config.ts';
import { partnerOfDomain } from './domain/partners.ts';
import { type ErasureParts, eraseUser } from './erasure/erase-user.ts';
import { startErasureSweeper } from './erasure/sweeper.ts';
import { implementations } from './handlers/index.ts';
import { createKycSessions } from './kyc/sessions.ts';
import { onboardingModeOf, startOnboarding } from './onboarding/start-onboarding.ts';
import { createCodes } from './otp/codes.ts';
import { createSendCode } from './otp/send-code.ts';
import { createSendLimits } from './otp/send-limits.ts';
import { createPartnerClients, toRegisteredClient } from './partner-clients/partner-clients.ts';
import { createExportLimit } from './personal-data/export-limit.ts';
import { servePersonalData } from './personal-data/serve.ts';
import { chooseMasterKeys } from './ports/choose-master-keys.ts';
import { choosePorts, type OutsidePorts } from './ports/choose-ports.ts';
import { createSandboxOutbox } from './ports/sandbox-outbox.ts';
import { createRegistrationLock } from './registration/lock.ts';
import type { RegistrationParts } from './registration/parts.ts';
import { findUserOfWallet, register } from './registration/saga.ts';
import type { PublishRevocations } from './sessions/announcements.ts';
import { createOwnerOf, createOwnerOfUser } from './sessions/owner-of.ts';
import { createRequireRecentSignIn } from './sessions/require-recent-sign-in.ts';
import { startSessions } from './sessions/start-sessions.ts';
import { createProveWallet } from './siwe/prove-wallet.ts';
import { createSiweMessages } from './siwe/siwe-messages.ts';
import { createWalletSignatures } from './siwe/wallet-signatures.ts';
import { ENCRYPTED_FIELDS, openStores } from './store/open-stores.ts';
import { retentionRules } from './store/retention-rules.ts';
import { SCHEMA } from './store/schema.ts';
import { createAccessTokens } from './tokens/access-tokens.ts';
import { openKeyRing } from './tokens/key-ring.ts';
import { createRefreshTokens } from './tokens/refresh-tokens.ts';
import { openWallets } from './wallets/open-wallets.ts';
import type { WalletParts } from './wallets/parts.ts';
import { telling } from './wallets/telling.ts';

/** Dependencies that a test may replace. */
export type IdentityOverrides = ServiceOverrides &
  Partial<OutsidePorts> & {
    ledger?: LedgerAccountsClient;
    publishRevocations?: PublishRevocations;
    /** Wraps every call of the registration saga, to fail where a process may be killed. */
    aroundRegistration?: (parts: RegistrationParts) => RegistrationParts;
    personalData?: PersonalDataClient;
    /** Wraps every call of the erasure saga in the same way. */
    aroundErasure?: (parts: ErasureParts) => ErasureParts;
    /** Wraps the stores for adding and removing wallets in the same way. */
    aroundWallets?: (parts: WalletParts) => WalletParts;
  };

/** Time limit of one announcement of revocations. */
const PUBLISH_TIMEOUT_MS = 2000;

const DAY_MS = 24 * 60 * 60 * 1000;

const build =
  (config: IdentityConfig, overrides: IdentityOverrides) =>
  async (core: Core): Promise<ServiceParts> => {
    const { logger, runtime, redis, defer } = core;
    logger.info({ secp256k1: await signatureRecovery() }, 'signature recovery');
    const mode = onboardingModeOf(config);
    const cipher = await openFieldCipher(core.store.connection, config.FIELD_KEYS, config.FIELD_HASH_KEY);
    const stores = traceStores(core.traceStore, openStores(core.store.connection, runtime, cipher));
    const rules = retentionRules({ sessions: config.RETENTION_SESSIONS_DAYS, funds: config.RETENTION_FUNDS_DAYS });
    defer(startRetention({ connection: core.store.connection, rules, runtime, logger }).close);
    defer(startRewrap({ connection: core.store.connection, fields: ENCRYPTED_FIELDS, cipher, logger }).close);
    const { users } = stores;
    const { sealerFor, hashKeysFor } = chooseMasterKeys(config);

    const outbox = createSandboxOutbox(redis, runtime, cipher);
    const { mailer, smsSender, kyc } = { ...choosePorts(config, { outbox, runtime, defer }), ...overrides };
    const ledger =
      overrides.ledger ??
      createLedgerAccountsClient(core.connectTo('ledger', config.LEDGER_URL, [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readAccounts]));

    const publishNames: PublishRevocations = overrides.publishRevocations ?? ((names) => publishRevocations(redis, names));
    // A silent Redis must delay neither the next attempt nor the shutdown.
    const publish: PublishRevocations = (names) => within(PUBLISH_TIMEOUT_MS, publishNames(names));
    const keyRing = await openKeyRing({
      store: stores.signingKeys,
      sealer: sealerFor('signing-keys'),
      revoked: core.revoked,
      publish,
      runtime,
      logger,
    });
    defer(keyRing.close);
    const issueAccessToken = createAccessTokens(keyRing, runtime);

    const registrationParts: RegistrationParts = {
      ...stores,
      kyc,
      ledger,
      runtime,
      activates: mode === 'open',
    };
    const registration = overrides.aroundRegistration?.(registrationParts) ?? registrationParts;

    const { sessions, revocations, close } = startSessions({
      store: stores.sessions,
      epochs: stores.walletEpochs,
      publish,
      revokedKeys: keyRing.revokedNames,
      revoked: core.revoked,
      runtime,
      logger,
      issueAccessToken,
      refreshTokens: createRefreshTokens(hashKeysFor('refresh-tokens')),
      maxAgeMs: config.SESSION_MAX_DAYS * DAY_MS,
      // A wallet may sign in at several partners, but is a user only at the partner where it registered.
      userOf: async (wallet, partnerId) => {
        const user = await findUserOfWallet(stores, wallet);
        return user?.partnerId === partnerId ? user : undefined;
      },
      noteNewDevice: (userId, address) => {
        const notice = { kind: 'signed_in_elsewhere', address } as const;
        return stores.users.addNotice(userId, telling(runtime, notice, { type: 'user.signed_in_elsewhere', payload: { userId } }));
      },
    });
    defer(close);

    const partnerIds = config.PARTNERS.map(({ id }) => id);
    const partnerClients = createPartnerClients({
      store: stores.partnerClientStore,
      partnerIds,
      isTrusted: (x) => core.trust.current().clients.some(({ key, overlapKey }) => key.x === x || overlapKey?.x === x),
      sandbox: config.SANDBOX,
      invitationKey: hashKeysFor('partner-invitations')[0],
      runtime,
    });

    const personalData =
      overrides.personalData ??
      createPersonalDataClient({
        card: core.connectTo('card', config.CARD_URL, [PRIVACY_SCOPES.eraseData]),
        ledger: core.connectTo('ledger', config.LEDGER_URL, [PRIVACY_SCOPES.eraseData]),
        threeds: core.connectTo('threeds', config.THREEDS_URL, [PRIVACY_SCOPES.eraseData]),
        vault: core.connectTo('vault', config.VAULT_URL, [PRIVACY_SCOPES.eraseData]),
        notifications:
          config.NOTIFICATIONS_URL === undefined
            ? undefined
            : core.connectTo('notifications', config.NOTIFICATIONS_URL, [PRIVACY_SCOPES.eraseData]),
      });
    const erasureParts: ErasureParts = {
      ...stores,
      sessions,
      sessionStore: stores.sessions,
      ...(config.SANDBOX ? { outbox } : {}),
      personalData,
      runtime,
      claimsKeptMs: config.RETENTION_CLAIMS_DAYS * DAY_MS,
    };
    const erasure = overrides.aroundErasure?.(erasureParts) ?? erasureParts;
    defer(startErasureSweeper({ parts: erasure, logger }).close);
    const requireRecentSignIn = createRequireRecentSignIn(sessions, runtime);

    const siweMessages = createSiweMessages({ keys: hashKeysFor('siwe-messages'), runtime });
    const nodes = openChainNodes(config, runtime.now);
    const isSignedByWallet = createWalletSignatures(nodes, config.CHAIN_ID);
    const partnerNameOf = (id: string) => config.PARTNERS.find((partner) => partner.id === id)?.name ?? 'Florin';
    const parts = overrides.aroundWallets?.(stores) ?? stores;
    const wallets = openWallets({
      config,
      stores,
      parts,
      ledger,
      sessions,
      isSignedByWallet,
      mailer,
      partnerNameOf,
      runtime,
      logger,
      defer,
    });
    const partnerOf = (domain: string) => partnerOfDomain(config.PARTNERS, domain, config.SANDBOX);
    const sendLimits = createSendLimits({ windows: stores.limitWindows, runtime, key: hashKeysFor('otp-limits')[0] });
    const codes = createCodes({ store: stores.codeStore, runtime, key: hashKeysFor('otp')[0], sealer: sealerFor('otp-recipients') });

    const relay = core.relayEvents(users.model);
    const ownerOfUser = createOwnerOfUser(stores.walletEpochs);
    const onboarding = startOnboarding({ config, mode, stores, ledger, runtime, logger, onPublish: relay.kick });
    defer(onboarding.close);

    return {
      userTokens: { keys: keyRing.verifier, revocations },
      partners: {
        registered: async (clientId) => {
          const client = await partnerClients.find(clientId);
          return client === undefined ? undefined : toRegisteredClient(client);
        },
        belongsToPartner: async (userId, partnerId) => (await users.find(userId))?.partnerId === partnerId,
      },
      documents: {
        [JWKS_PATH]: async () => keyRing.published(),
        [REVOKED_SESSIONS_PATH]: async (): Promise<RevokedSessionsDocument> => ({ sessions: [...(await revocations())] }),
      },
      implementations: implementations({
        ...stores,
        ...onboarding,
        ...wallets,
        runtime,
        ledger,
        mailer,
        smsSender,
        smsCountries: new Set(config.SMS_COUNTRIES),
        outbox,
        sandbox: config.SANDBOX,
        siweMessages,
        proveWallet: createProveWallet({ siweMessages, usedMessages: stores.usedMessages, runtime, isSignedByWallet, partnerOf }),
        sessions,
        registrations: stores.registrations,
        ownerOf: createOwnerOf(users, ownerOfUser),
        ownerOfUser,
        partners: config.PARTNERS,
        partnerIds,
        partnerClients,
        issueAccessToken,
        rotateKey: keyRing.rotate,
        revokeKey: keyRing.revoke,
        codes,
        sendCode: createSendCode(codes, sendLimits),
        sendLimits,
        chainId: config.CHAIN_ID,
        contractWallets: Object.hasOwn(config.CHAIN_RPC_URLS, config.CHAIN_ID),
        partnerOf,
        partnerNameOf,
        lock: createRegistrationLock(redis, runtime.newId),
        isRegistered: async (wallet) => (await findUserOfWallet(registration, wallet)) !== undefined,
        register: (input) => register(registration, input),
        kycSessions: createKycSessions({ provider: kyc, redis, sealer: sealerFor('kyc-sessions'), runtime }),
        kycWebhookSecret: config.KYC_WEBHOOK_SECRET,
        requireRecentSignIn,
        contracts: createChainContractSigners(nodes),
        erase: (order) => eraseUser(erasure, order),
        personalData: servePersonalData({
          stores,
          requireRecentSignIn,
          takeExport: createExportLimit(stores.limitWindows, runtime),
          runtime,
        }),
      }),
    };
  };

/** Wires the identity service and starts it. @throws ConfigError */
export const createApp = (config: IdentityConfig, overrides: IdentityOverrides = {}): Promise<App> =>
  startService({ name: 'identity', schema: SCHEMA }, config, overrides, build(config, overrides));
