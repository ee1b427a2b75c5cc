import { randomBytes } from 'node:crypto';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import { signTypedMessage } from '@florin/evm/testing';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { CardStatus } from '@florin/proto/card/v1/card';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { CardDataAction, CardDataService } from '@florin/proto/vault/v1/card_data_service';
import { CardNumberService } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { onBehalfOf } from '@florin/rpc/client';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { type Runtime, systemRuntime } from '@florin/rpc/runtime';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import type { JWK } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createApp, type VaultOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { type AppKey, createAppKey, sealTo } from './app-key.ts';
import { startNeighbours } from './neighbours.ts';

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Tokens outlive every jump of the clock: their lifetime is not under test here. */
const FAR_AWAY = new Date('2090-01-01T00:00:00Z');

/**
 * Numbers without an 8, except as the check digit at their end: no PIN that begins with an 8 stands in them. A PIN that stands in the card's number is
 * rejected, and a random number has one PIN in a thousand.
 */
const digitWithout8: Runtime['randomInt'] = (min, max) => {
  const drawn = systemRuntime.randomInt(min, max);
  return drawn === 8 ? 7 : drawn;
};

export const newMasterKey = (id: string) => ({ id, key: randomBytes(32).toString('base64url') });

/** The vault on real engines, with test doubles of the services that it asks. */
export const createWorld = async (more: Environment = {}) => {
  const authority = await createTestAuthority({
    vault: [],
    card: [VAULT_SCOPES.writeCardNumbers],
    processor: Object.values(VAULT_SCOPES),
    identity: [PRIVACY_SCOPES.eraseData, AUDIT_SCOPES.readEvents],
    stranger: [],
  });
  const clock = fakeClock();
  const masterKey = newMasterKey('k1');
  const neighbours = await startNeighbours(authority, clock.now);
  const environment = testEnvironment('vault', authority, {
    ...neighbours.environment,
    VAULT_MASTER_KEYS: JSON.stringify([masterKey]),
    ...more,
  });
  const bed = await openTestBed(environment);
  bed.defer(neighbours.close);

  return {
    authority,
    clock,
    neighbours,
    environment,
    masterKey,
    /** Everything that is stored, as text. */
    dump: async (): Promise<string> => {
      const { connection } = bed;
      const collections = await connection.listCollections();
      const documents = await Promise.all(collections.map(({ name }) => connection.collection(name).find().toArray()));
      return JSON.stringify(documents);
    },
    collection: (name: string) => bed.connection.collection<{ _id: string; [field: string]: unknown }>(name),

    /** Starts a vault; any number of them share the world's database. */
    start: async (overrides: VaultOverrides & { env?: Environment } = {}) => {
      const { env, ...rest } = overrides;
      const app = await createApp(loadConfig(configShape, { ...environment, ...env }), {
        runtime: { now: clock.now, randomInt: digitWithout8 },
        userKeys: authority.userKeys,
        logger: quietLogger,
        ...rest,
      });
      const { client, close } = bed.connect(app);
      const numbers = client(CardNumberService);
      const data = client(CardDataService);
      const asService = (name: string, scopes: readonly string[]) => authority.asService(name, 'vault', scopes);
      const processor = await asService('processor', Object.values(VAULT_SCOPES));

      /** A person with a wallet and a card that has a number. */
      const newPerson = async () => {
        const [userId, cardId] = [systemRuntime.newId(), systemRuntime.newId()];
        const wallet = privateKeyToAccount(generatePrivateKey());
        neighbours.wallets.set(userId, [wallet.address]);
        neighbours.cards.set(cardId, { id: cardId, userId, status: CardStatus.ACTIVE });
        await numbers.issueCardNumber({ cardId, userId, expMonth: 12, expYear: 2030 }, processor);
        const options = onBehalfOf({
          token: await authority.userToken({ wallet: wallet.address, userId }, FAR_AWAY),
          requestId: systemRuntime.newId(),
        });
        const appKey = await createAppKey();
        const challenge = async (action: CardDataAction, key: AppKey = appKey) => {
          const { typedData } = await data.createCardDataChallenge({ cardId, action, thumbprint: key.thumbprint }, options);
          if (typedData === undefined) throw new Error('the response has no typed data');
          return { typedData, signature: await signTypedMessage(wallet, typedData) };
        };
        const view = async (action: CardDataAction = CardDataAction.VIEW_DETAILS) => {
          const { signature } = await challenge(action);
          const { jwe } = await data.revealCardData({ cardId, action, signature, keyJson: appKey.keyJson }, options);
          return appKey.open(jwe);
        };
        /** @param pin begins with an 8, so that it does not stand in the card's number */
        const setPin = async (pin: string) => {
          const { typedData, signature } = await challenge(CardDataAction.SET_PIN);
          const jwe = await sealTo(await vaultKey(), await appKey.sign({ pin, nonce: typedData.nonce }));
          return data.setPin({ cardId, signature, jwe }, options);
        };
        return { userId, cardId, wallet, options, appKey, challenge, view, setPin };
      };

      const vaultKey = async (): Promise<JWK> => {
        const { keys } = JSON.parse((await data.listVaultKeys({})).jwksJson) as { keys: JWK[] };
        if (keys[0] === undefined) throw new Error('the vault publishes no key');
        return keys[0];
      };

      return { app, client, numbers, data, close, asService, processor, newPerson, vaultKey };
    },

    close: bed.close,
  };
};

export type Vault = Awaited<ReturnType<World['start']>>;
export type Person = Awaited<ReturnType<Vault['newPerson']>>;
