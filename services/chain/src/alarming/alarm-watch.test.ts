import type { Hex } from '@florin/evm/hex';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { TokenBlock } from '../clients/accounts.ts';
import type { WatchException } from '../domain/exception.ts';
import { DELAY_ENQUEUED, SAFE_EVENTS, TOKEN_EVENTS } from '../domain/safe-change.ts';
import { agree } from '../ports/agree.ts';
import { createFakeChain, createFakeNode, fakeAddress, type NodeTrouble } from '../testing/fake-chain.ts';
import { createAlarmWatch } from './alarm-watch.ts';
import { createBlindTime } from './blind-time.ts';

const TOKEN = fakeAddress('EURe');
const [ALICE, BOB] = [fakeAddress('alice'), fakeAddress('bob')];
const SPENDERS = new Map<Hex, string>([
  [ALICE, 'alice'],
  [BOB, 'bob'],
]);
const topicOf = (name: string): Hex => [...SAFE_EVENTS].find(([, change]) => change === name)?.[0] ?? '0x';
const open = () => false;

const setUp = (trouble: NodeTrouble = {}) => {
  const chain = createFakeChain();
  const blocked: string[] = [];
  /** Tokens that cannot be spent, with the reason, and the account if it is only one. */
  const tokens = new Set<string>();
  const keyOf = ({ token, reason, accountId = 'all' }: TokenBlock) => `${token} ${reason} ${accountId}`;
  const marked: unknown[] = [];
  const exceptions = new Map<string, WatchException>();
  /** Accounts that have not been active yet, and whether their set-up was signed. */
  const provisioning = new Map<string, boolean>();
  let cursor: number | undefined;
  let seenAt: Date | undefined;
  const node = createFakeNode(chain);
  const start = () =>
    createAlarmWatch({
      chainId: 100,
      node: agree([node, createFakeNode(chain, trouble)]),
      cursors: {
        begin: async (_chainId, number) => {
          cursor ??= number;
          return cursor;
        },
        advance: async (_chainId, number) => {
          cursor = Math.max(cursor ?? 0, number);
        },
        see: async (_chainId, at) => {
          seenAt = at;
        },
      },
      accounts: {
        findStatesBySafes: async (_chainId, addresses) =>
          new Map(
            addresses.flatMap((address) => {
              const id = SPENDERS.get(address);
              return id === undefined ? [] : [[address, { id, isProvisioning: provisioning.has(id) }]];
            }),
          ),
        blockToken: async (block) => void tokens.add(keyOf(block)),
        unblockToken: async (block) => void tokens.delete(keyOf(block)),
      },
      symbols: new Map([[TOKEN, 'EURe']]),
      markFrozen: async (accountId, contract, block) => {
        marked.push([accountId, contract, block]);
        return accountId !== 'bob';
      },
      isKept: async (accountId) => provisioning.get(accountId) ?? true,
      suspect: async (accountId) => void blocked.push(accountId),
      exceptions: {
        find: async (id) => exceptions.get(id),
        open: async (exception) => void (exceptions.has(exception.id) || exceptions.set(exception.id, exception)),
        openOfTokens: async () => [...exceptions.values()].filter(({ status, transfer }) => status === 'open' && transfer.accountId === ''),
        close: async (id, { booked: _booked, ...closed }) => {
          const found = exceptions.get(id) ?? expect.fail('there is no such exception');
          exceptions.set(id, { ...found, ...closed, status: 'closed' });
          return exceptions.get(id);
        },
      },
      isOwn: async () => false,
      now: () => new Date(),
      logger: quietLogger,
    });
  const mine = (contract: Hex, topic: Hex, subject?: Hex) =>
    chain.mine([chain.transaction([], [{ contract, topic, ...(subject && { subject }) }])]);
  return {
    chain,
    seenAt: () => seenAt,
    blocked,
    tokens,
    marked,
    provisioning,
    exceptions,
    node,
    start,
    mine,
    found: () => [...exceptions.values()].map(({ code, transfer }) => [transfer.accountId, code]),
  };
};

describe('the time for which nobody sees a chain', () => {
  const LIMIT_MS = 60_000;

  it('is bounded by the ledger, which hears of what was seen, and of nothing else', async () => {
    const trouble = { fails: false };
    const { mine, chain, start, seenAt } = setUp({ fails: () => trouble.fails });
    const calls: Date[] = [];
    const startedAt = new Date();
    const startTelling = () =>
      createBlindTime({
        alarms: { seenAt: async () => seenAt() },
        spending: { renewChain: async (_chainId, until) => void calls.push(until) },
        limitMs: LIMIT_MS,
        now: () => startedAt,
      });
    const tell = startTelling();
    const told = async (): Promise<Date[]> => {
      await tell(100);
      return calls.splice(0);
    };
    // Nothing was seen yet, by any process.
    expect([await told(), await told()]).toEqual([[new Date(startedAt.getTime() + LIMIT_MS)], []]);
    const look = async (): Promise<void> => {
      mine(fakeAddress('stranger'), topicOf('ADDED_OWNER'));
      chain.finalize();
      await alarms.round(open);
    };
    const alarms = start();
    await look();
    const until = new Date((seenAt() ?? expect.fail('it was seen')).getTime() + LIMIT_MS);
    expect([await told(), await told()]).toEqual([[until], []]);
    trouble.fails = true;
    await expect(look()).rejects.toThrow();
    expect(await told()).toEqual([]);
    // A process that starts says what is stored.
    await startTelling()(100);
    expect(calls.splice(0)).toEqual([until]);
  });
});

const tokenTopics = (event: string): Hex[] => [...TOKEN_EVENTS].flatMap(([topic, one]) => (one === event ? [topic] : []));
const [FROZEN = '0x', FREED = '0x', PAUSED = '0x', UNPAUSED = '0x', UPGRADED = '0x'] = [
  'frozen',
  'freed',
  'paused',
  'unpaused',
  'upgraded',
].map((event) => tokenTopics(event)[0]);

describe('the issuer of a token', () => {
  it('freezes a Safe: its account cannot spend the token, and an inspection decides when that is over', async () => {
    const { blocked, exceptions, mine, start, tokens, marked } = setUp();
    const watch = start();
    const { number } = mine(TOKEN, FROZEN, ALICE);
    mine(TOKEN, FROZEN, fakeAddress('stranger'));
    mine(fakeAddress('other token'), FROZEN, ALICE);
    mine(TOKEN, FROZEN);
    for (let times = 0; times < 2; times += 1) await watch.round(open);
    await start().round(open);
    expect([...tokens]).toEqual(['EURe frozen alice']);
    expect(marked).toEqual([['alice', TOKEN, number]]);
    expect([...exceptions.values()]).toMatchObject([
      { kind: 'changed', code: 'TOKEN_FROZEN', transfer: { accountId: 'alice', token: 'EURe' } },
    ]);
    const freed = mine(TOKEN, FREED, ALICE);
    await watch.round(open);
    expect([...tokens]).toEqual(['EURe frozen alice']);
    expect(marked.at(-1)).toEqual(['alice', TOKEN, freed.number]);
    expect(blocked).toEqual([]);
  });

  it('freezes a Safe that is not inspected: its account is blocked', async () => {
    const { blocked, mine, start, tokens } = setUp();
    mine(TOKEN, FROZEN, BOB);
    await start().round(open);
    expect([blocked, [...tokens]]).toEqual([['bob'], []]);
  });

  it.each(tokenTopics('paused'))('pauses a token: nobody spends it until it goes on in a final block (%s)', async (topic) => {
    const { chain, exceptions, mine, start, tokens } = setUp();
    const watch = start();
    mine(fakeAddress('other token'), topic);
    mine(TOKEN, topic);
    await watch.round(open);
    expect([...tokens]).toEqual(['EURe paused all']);
    chain.finalize();
    for (const [index, end] of tokenTopics('unpaused').entries()) {
      mine(TOKEN, end);
      await watch.round(open);
      expect([...tokens]).toEqual(['EURe paused all']);
      // The first time it is paused again before that is final.
      if (index === 0) {
        mine(TOKEN, topic);
        await watch.round(open);
      }
      chain.finalize();
      await watch.round(open);
      expect(tokens.size).toBe(index === 0 ? 1 : 0);
    }
    expect([...exceptions.values()].map(({ code, status, closedBy }) => [code, status, closedBy])).toEqual([
      ['TOKEN_PAUSED', 'closed', 'chain'],
      ['TOKEN_PAUSED', 'closed', 'chain'],
    ]);
    // Another process looks at what is final again, and blocks nothing.
    await start().round(open);
    expect(tokens.size).toBe(0);
  });

  it('ends a pause in a block that is replaced: the token stays blocked', async () => {
    const { chain, mine, start, tokens } = setUp();
    const watch = start();
    mine(TOKEN, PAUSED);
    await watch.round(open);
    chain.finalize();
    mine(TOKEN, UNPAUSED);
    await watch.round(open);
    chain.drop(1);
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect([...tokens]).toEqual(['EURe paused all']);
  });

  it('exchanges the code of a token: nobody spends it until a person has closed the exception, also after a restart', async () => {
    const { chain, exceptions, mine, start, tokens } = setUp();
    mine(TOKEN, UPGRADED);
    await start().round(open);
    await start().round(open);
    expect([...tokens]).toEqual(['EURe upgraded all']);
    const [[id, exception] = expect.fail('there is no exception')] = [...exceptions];
    expect(exception).toMatchObject({ code: 'TOKEN_UPGRADED', transfer: { accountId: '', token: 'EURe', counterparty: TOKEN } });
    exceptions.set(id, { ...exception, status: 'closed' });
    tokens.clear();
    chain.finalize();
    await start().round(open);
    expect(tokens.size).toBe(0);
  });
});

describe('alarms', () => {
  it.each([...SAFE_EVENTS])('block an account at an event of its Safe that is not final (%s %s)', async (topic, change) => {
    const { blocked, found, mine, start } = setUp();
    mine(ALICE, topic);
    await start().round(open);
    expect(blocked).toEqual(['alice']);
    expect(found()).toEqual([['alice', change]]);
  });

  it('block an account when a transaction waits in an enabled Delay module of its Safe', async () => {
    const { chain, blocked, found, mine, start } = setUp();
    const module = fakeAddress('delay');
    chain.modules.set(module, BOB);
    mine(module, DELAY_ENQUEUED);
    await start().round(open);
    expect(blocked).toEqual(['bob']);
    expect(found()).toEqual([['bob', 'DELAY_ENQUEUED']]);
  });

  it('block an account whose set-up was signed when a transaction waits in its Delay module, also before it is active', async () => {
    const { chain, found, mine, start, provisioning } = setUp();
    const [ofAlice, ofBob] = [fakeAddress('delay of alice'), fakeAddress('delay of bob')];
    chain.modules.set(ofAlice, ALICE);
    chain.modules.set(ofBob, BOB);
    provisioning.set('alice', true).set('bob', false);
    mine(ALICE, topicOf('ENABLED_MODULE'));
    for (const module of [ofAlice, ofBob]) mine(module, DELAY_ENQUEUED);
    await start().round(open);
    // The set-up itself raises no alarm, whoever sends it.
    expect(found()).toEqual([['alice', 'DELAY_ENQUEUED']]);
  });

  it('ignore contracts that are no enabled module, and Safes of others', async () => {
    const { blocked, mine, start } = setUp();
    mine(fakeAddress('impostor'), DELAY_ENQUEUED);
    mine(fakeAddress('strange Safe'), topicOf('ADDED_OWNER'));
    await start().round(open);
    expect(blocked).toEqual([]);
  });

  it('are raised once, however often the block is seen and wherever the transaction ends up', async () => {
    const { chain, blocked, mine, start } = setUp();
    const watch = start();
    mine(ALICE, topicOf('ENABLED_MODULE'));
    await watch.round(open);
    await watch.round(open);
    const again = chain.drop(1);
    chain.mine();
    chain.mine(again);
    await watch.round(open);
    chain.finalize();
    await watch.round(open);
    await start().round(open);
    expect(blocked).toEqual(['alice']);
  });

  it('are raised for blocks that became final while nobody looked', async () => {
    const { chain, blocked, mine, start } = setUp();
    await start().round(open);
    mine(ALICE, topicOf('CHANGED_GUARD'));
    for (let n = 0; n < 200; n += 1) chain.mine();
    chain.finalize();
    await start().round(open);
    expect(blocked).toEqual(['alice']);
  });

  it('are raised for a branch that replaces another', async () => {
    const { chain, blocked, mine, start } = setUp();
    const watch = start();
    chain.mine();
    chain.mine();
    await watch.round(open);
    chain.drop(2);
    mine(ALICE, topicOf('REMOVED_OWNER'));
    chain.mine();
    await watch.round(open);
    expect(blocked).toEqual(['alice']);
  });

  it('need all nodes: one that lies or lags delays them, and the next round goes on', async () => {
    let lying = true;
    const { blocked, mine, start } = setUp({ lies: () => lying });
    const watch = start();
    mine(ALICE, topicOf('ADDED_OWNER'));
    await expect(watch.round(open)).rejects.toThrow('disagree');
    expect(blocked).toEqual([]);
    lying = false;
    await watch.round(open);
    expect(blocked).toEqual(['alice']);
  });

  it('cost two queries per block to each node, and two per round', async () => {
    const { chain, node, start } = setUp();
    const watch = start();
    for (let n = 0; n < 50; n += 1) chain.mine();
    await watch.round(open);
    expect(node.queries()).toBe(2 * 50 + 2);
    await watch.round(open);
    // Besides: the newest block, which was looked at.
    expect(node.queries()).toBe(2 * 50 + 2 + 3);
  });
});
