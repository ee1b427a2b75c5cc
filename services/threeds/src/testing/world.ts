import { randomUUID } from 'node:crypto';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import { CardStatus } from '@florin/proto/card/v1/card';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { systemRuntime } from '@florin/rpc/runtime';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createApp, type ThreedsOverrides } from '../app.ts';
import { configShape } from '../config.ts';
import { type Calls, callsWith } from './calls.ts';
import { startNeighbours } from './neighbours.ts';

/** The sweeper is off unless a test enables it, so that stored challenges are as the RPCs left them. */
const NEVER_MS = 3_600_000;

export const CHAIN_ID = 100;

type Holder = { userId: string; wallet: { address: string } };

/** A running instance of the service, with its callers. */
export type Instance = {
  url: string;
  close: () => Promise<void>;
  user: (holder: Holder) => Calls;
  /** A wallet that is signed in but not registered. */
  wallet: (address: string) => Calls;
  service: (name: string, scopes: string[], expiresInSeconds?: number) => Calls;
  /** Has the write scope only. */
  acs: Calls;
  /** Has the read scope only. */
  office: Calls;
  /** Has the watch scope only. */
  gateway: Calls;
  /** The output of grpcurl for GetReceipt. */
  receiptJson: (challengeId: string) => Promise<string>;
};

/** One database with test doubles of the other services; a test starts any number of instances on it. */
export const createWorld = async (more: Environment = {}) => {
  const authority = await createTestAuthority({
    threeds: [CARD_SCOPES.readCards, IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts],
    acs: [THREEDS_SCOPES.writeChallenges],
    otherAcs: [THREEDS_SCOPES.writeChallenges],
    office: [THREEDS_SCOPES.readChallenges],
    gateway: [THREEDS_SCOPES.watchChallenges],
    card: [THREEDS_SCOPES.consumeAuthentications],
  });
  const neighbours = await startNeighbours(authority);
  const env = testEnvironment('threeds', authority, { ...neighbours.environment, ...more });
  const clock = fakeClock();
  const bed = await openTestBed(env);
  bed.defer(neighbours.close);

  /** Starts an instance. `timeoutMs` is the deadline of the calls to it. */
  const start = async (overrides: ThreedsOverrides = {}, extra: Environment = {}, timeoutMs = 20_000): Promise<Instance> => {
    const app = await createApp(loadConfig(configShape, { ...env, ...extra }), {
      logger: quietLogger,
      runtime: { now: clock.now },
      userKeys: authority.userKeys,
      sweepIntervalMs: NEVER_MS,
      ...overrides,
    });
    const { client: clientOf, close } = bed.connect(app, timeoutMs);
    const client = clientOf(ChallengeService);
    return {
      url: app.url,
      close,
      user: ({ userId, wallet }) =>
        callsWith(client, () => authority.userToken({ wallet: wallet.address, userId }, new Date(clock.now().getTime() + 3_600_000))),
      wallet: (address) => callsWith(client, () => authority.userToken({ wallet: address }, new Date(clock.now().getTime() + 3_600_000))),
      service: (name, scopes, expiresInSeconds) =>
        callsWith(client, () => authority.serviceToken(name, 'threeds', scopes, expiresInSeconds)),
      acs: callsWith(client, () => authority.serviceToken('acs', 'threeds', [THREEDS_SCOPES.writeChallenges])),
      office: callsWith(client, () => authority.serviceToken('office', 'threeds', [THREEDS_SCOPES.readChallenges])),
      gateway: callsWith(client, () => authority.serviceToken('gateway', 'threeds', [THREEDS_SCOPES.watchChallenges])),
      receiptJson: async (challengeId) => {
        const token = await authority.serviceToken('office', 'threeds', [THREEDS_SCOPES.readChallenges]);
        const response = await fetch(`${app.url}/florin.threeds.v1.ChallengeService/GetReceipt`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ challengeId }),
        });
        return JSON.stringify(await response.json(), undefined, 2);
      },
    };
  };

  /** A registered user with an active account and card; `safeAddress` is the account's Safe. */
  const newPerson = (safeAddress = '', chainId = CHAIN_ID) => {
    const [userId, accountId, cardId] = [systemRuntime.newId(), systemRuntime.newId(), systemRuntime.newId()];
    const wallet = privateKeyToAccount(generatePrivateKey());
    neighbours.users.set(userId, { id: userId, wallets: [{ address: wallet.address, primary: true }] });
    neighbours.accounts.set(accountId, {
      id: accountId,
      userId,
      chainId,
      safeAddress,
      safeOwnerAddress: wallet.address,
      status: AccountStatus.ACTIVE,
    });
    neighbours.cards.set(cardId, { id: cardId, userId, accountId, last4: '4242', status: CardStatus.ACTIVE });
    return { userId, accountId, cardId, wallet };
  };

  const payment = ({ cardId }: { cardId: string }) => ({
    reference: randomUUID(),
    cardId,
    amount: '1999',
    currency: 'EUR',
    decimals: 2,
    merchant: { id: 'M-1', displayName: 'Corner Shop', country: 'DE', categoryCode: '5411' },
  });

  /** Raises a challenge for a new person. */
  const raise = async (app: Instance) => {
    const person = newPerson();
    const { id } = await app.acs.create(payment(person));
    return { person, id, user: app.user(person) };
  };

  const challenges = bed.connection.collection<Stored>('challenges');

  return {
    authority,
    neighbours,
    clock,
    env,
    start,
    newPerson,
    payment,
    raise,
    /** A challenge as stored. */
    stored: (id: string) => challenges.findOne({ _id: id }),
    /** Changes a challenge directly in the database. */
    change: (id: string, set: Record<string, unknown>) => challenges.updateOne({ _id: id }, { $set: set }),
    /** Changes a stored receipt directly in the database. */
    changeReceipt: (id: string, change: Record<string, unknown>) =>
      challenges.updateOne(
        { _id: id },
        { $set: Object.fromEntries(Object.entries(change).map(([name, value]) => [`receipt.${name}`, value])) },
      ),
    count: (filter: object) => challenges.countDocuments(filter),
    close: bed.close,
  };
};

type Stored = {
  _id: string;
  status: string;
  decision?: string;
  badSignatures: number;
  issued: { approve: unknown[]; decline: unknown[] };
  receipt?: unknown;
  outbox: { type: string }[];
};

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Person = ReturnType<World['newPerson']>;
export type Raised = Awaited<ReturnType<World['raise']>>;
