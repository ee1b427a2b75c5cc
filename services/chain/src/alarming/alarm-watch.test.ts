import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import type { Hex } from '@florin/evm/hex';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TokenBlock } from '../clients/accounts.ts';
import { DELAY_ENQUEUED, SAFE_EVENTS, TOKEN_EVENTS } from '../domain/safe-change.ts';
import { agree } from '../ports/agree.ts';
import { type AlarmCursorStore, createAlarmCursorStore } from '../store/alarm-cursors.ts';
import { createExceptionStore, type ExceptionStore } from '../store/exceptions.ts';
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

let connection: Awaited<ReturnType<typeof openStore>>['connection'];
let exceptions: ExceptionStore;
let cursors: AlarmCursorStore;
beforeAll(async () => {
  const { mongodbUri, database } = testEngines();
  const opened = await openStore({ uri: mongodbUri, database: `${database}_alarms`, poolSize: 2, logger: quietLogger });
  ({ connection } = opened);
  exceptions = createExceptionStore(connection, { newId: randomUUID, now: () => new Date() });
  cursors = createAlarmCursorStore(connection);
  await opened.ready();
}, 60_000);
beforeEach(async () => {
  await exceptions.model.deleteMany({});
  await connection.collection('alarm_cursors').deleteMany({});
});
afterAll(async () => {
  await connection?.dropDatabase();
  await connection?.close();
});

/** All exceptions, oldest first. */
const all = async () => (await exceptions.page({ limit: 100, before: undefined })).reverse();
const found = async () => (await all()).map(({ code, transfer }) => [transfer.accountId, code]);
const close = (id: string) => exceptions.close(id, { closedBy: 'a person', note: 'All is well.', booked: false });

const setUp = (trouble: NodeTrouble = {}) => {
  const chain = createFakeChain();
  const blocked: string[] = [];
  /** With the block after which an inspection may let the account go on. */
  const suspected: [string, number][] = [];
  /** Tokens that cannot be spent, with the reason, and the account if it is only one. */
  const tokens = new Set<string>();
  const keyOf = ({ token, reason, accountId = 'all' }: TokenBlock) => `${token} ${reason} ${accountId}`;
  const marked: unknown[] = [];
  /** Accounts that have not been active yet, and whether their set-up was signed. */
  const provisioning = new Map<string, boolean>();
  const reread: number[] = [];
  /** Accounts whose executions the nodes do not show alike. */
  const unexplained = new Set<string>();
  const node = createFakeNode(chain);
  const start = () =>
    createAlarmWatch({
      chainId: 100,
      node: agree([node, createFakeNode(chain, trouble)]),
      cursors,
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
      suspect: async (accountId, block) => {
        blocked.push(accountId);
        suspected.push([accountId, block]);
      },
      exceptions,
      rereadFrom: async (_chainId, block) => void reread.push(block),
      isOwn: async () => false,
      isOfRecovery: async (accountId) => {
        if (unexplained.has(accountId)) throw new Error('the nodes differ');
        return false;
      },
      now: () => new Date(),
      logger: quietLogger,
    });
  const mine = (contract: Hex, topic: Hex, subject?: Hex) =>
    chain.mine([chain.transaction([], [{ contract, topic, ...(subject && { subject }) }])]);
  return {
    chain,
    blocked,
    tokens,
    marked,
    provisioning,
    suspected,
    reread,
    unexplained,
    node,
    start,
    mine,
  };
};

it('catches up with a node that does not answer the whole of a large request', async () => {
  const { chain, node, start } = setUp();
  const watch = start();
  await watch.round(open);
  const { headers } = node;
  node.headers = async (numbers) => {
    if (numbers.length > 10) throw new Error('too many requests');
    return headers(numbers);
  };
  for (let block = 1; block <= 100; block += 1) chain.mine([]);
  chain.finalize();
  for (let round = 0; round < 50; round += 1) await watch.round(open).catch(() => undefined);
  expect(await cursors.seenAt(100)).toEqual(await node.blockTime(100));
});

it('keeps what it has read of blocks that are not final when a node does not answer the whole of a large request', async () => {
  const { chain, node, start, blocked, mine } = setUp();
  mine(ALICE, topicOf('ADDED_OWNER'));
  for (let block = 1; block <= 100; block += 1) chain.mine([]);
  const { headers, controlEvents } = node;
  const few = (many: readonly unknown[]): void => {
    if (many.length > 10) throw new Error('too many requests');
  };
  node.headers = async (numbers) => {
    few(numbers);
    return headers(numbers);
  };
  node.controlEvents = async (blocks) => {
    few(blocks);
    return controlEvents(blocks);
  };
  const watch = start();
  for (let round = 0; round < 12; round += 1) await watch.round(open).catch(() => undefined);
  expect(blocked).toEqual(['alice']);
  await watch.round(open);
});

it('raises the alarms of all others when a node does not explain one, which is raised later', async () => {
  const { chain, start, blocked, tokens, mine, unexplained } = setUp();
  const watch = start();
  chain.mine([]);
  await watch.round(open);
  unexplained.add('alice');
  mine(ALICE, topicOf('ADDED_OWNER'));
  mine(BOB, topicOf('ADDED_OWNER'));
  // More blocks than are read together.
  for (let block = 1; block <= 100; block += 1) chain.mine([]);
  mine(BOB, topicOf('REMOVED_OWNER'));
  for (let round = 0; round < 2; round += 1) await expect(watch.round(open)).rejects.toThrow('differ');
  expect(await found()).toEqual([
    ['bob', 'ADDED_OWNER'],
    ['bob', 'REMOVED_OWNER'],
  ]);
  chain.finalize();
  await expect(watch.round(open)).rejects.toThrow('differ');
  unexplained.clear();
  await watch.round(open);
  expect(blocked).toEqual(['bob', 'bob', 'alice']);
  expect(await found()).toContainEqual(['alice', 'ADDED_OWNER']);
  expect(tokens.size).toBe(0);
});

it('goes on where it was when a node fails after final blocks were replaced, and has histories read again once', async () => {
  const { chain, node, start, reread } = setUp();
  for (let block = 1; block <= 300; block += 1) chain.mine([]);
  const first = start();
  await first.round(open);
  chain.finalize();
  await first.round(open);
  chain.drop(2);
  for (let block = 1; block <= 3; block += 1) chain.mine([]);
  chain.finalize();
  const { headers } = node;
  const asked: (readonly number[])[] = [];
  let reachable = 100;
  node.headers = async (numbers) => {
    asked.push(numbers);
    if (numbers.some((number) => number > reachable)) throw new Error('the node does not respond');
    return headers(numbers);
  };
  // Each time another process, which remembers nothing.
  await expect(start().round(open)).rejects.toThrow('respond');
  reachable = 200;
  await expect(start().round(open)).rejects.toThrow('respond');
  reachable = 301;
  await start().round(open);
  expect(asked.map(([number]) => number)).toEqual([1, 65, 65, 129, 193, 193, 257]);
  expect(reread).toEqual([0]);
  expect(await cursors.seenAt(100)).toEqual(await node.blockTime(301));
});

it('skips no blocks when one process records what it looked at before another one went back', async () => {
  const blockAt = (number: number) => ({ number, hash: fakeAddress(`block ${number}`) });
  const [old, earlier, later] = [blockAt(10), blockAt(5), blockAt(12)];
  await cursors.begin(100, 9);
  await cursors.advance(100, 10, old);
  await cursors.goBack(100, old, earlier);
  await cursors.advance(100, 11, later);
  expect(await cursors.begin(100, 0)).toMatchObject(earlier);
  await cursors.advance(100, 6, later);
  await cursors.goBack(100, old, earlier);
  expect(await cursors.begin(100, 0)).toMatchObject(later);
});

describe('the time for which nobody sees a chain', () => {
  const LIMIT_MS = 60_000;

  it('is bounded by the ledger, which hears of what was seen, and of nothing else', async () => {
    const trouble = { fails: false };
    const { mine, chain, start } = setUp({ fails: () => trouble.fails });
    const calls: Date[] = [];
    const startedAt = new Date();
    const startTelling = () =>
      createBlindTime({
        alarms: cursors,
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
    const until = new Date(((await cursors.seenAt(100)) ?? expect.fail('it was seen')).getTime() + LIMIT_MS);
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
    const { blocked, mine, start, tokens, marked } = setUp();
    const watch = start();
    const { number } = mine(TOKEN, FROZEN, ALICE);
    mine(TOKEN, FROZEN, fakeAddress('stranger'));
    mine(fakeAddress('other token'), FROZEN, ALICE);
    mine(TOKEN, FROZEN);
    for (let times = 0; times < 2; times += 1) await watch.round(open);
    await start().round(open);
    expect([...tokens]).toEqual(['EURe frozen alice']);
    expect(marked).toEqual([['alice', TOKEN, number]]);
    expect(await all()).toMatchObject([{ kind: 'changed', code: 'TOKEN_FROZEN', transfer: { accountId: 'alice', token: 'EURe' } }]);
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
    const { chain, mine, start, tokens } = setUp();
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
    expect((await all()).map(({ code, status, closedBy }) => [code, status, closedBy])).toEqual([
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
    const { chain, mine, start, tokens } = setUp();
    mine(TOKEN, UPGRADED);
    await start().round(open);
    await start().round(open);
    expect([...tokens]).toEqual(['EURe upgraded all']);
    const [exception = expect.fail('there is no exception')] = await all();
    expect(exception).toMatchObject({ code: 'TOKEN_UPGRADED', transfer: { accountId: '', token: 'EURe', counterparty: TOKEN } });
    await close(exception.id);
    tokens.clear();
    chain.finalize();
    await start().round(open);
    expect(tokens.size).toBe(0);
  });
});

describe('what a reorganization takes back', () => {
  it.each([
    ['pause', PAUSED],
    ['upgrade', UPGRADED],
  ])('is no %s: the token is spent on once that is final', async (_kind, topic) => {
    const { chain, mine, start, tokens } = setUp();
    const watch = start();
    mine(TOKEN, topic);
    await watch.round(open);
    expect(tokens.size).toBe(1);
    chain.drop(1);
    chain.mine();
    await watch.round(open);
    expect(tokens.size).toBe(1);
    chain.finalize();
    await watch.round(open);
    expect(tokens.size).toBe(0);
    expect(await all()).toMatchObject([{ status: 'closed', closedBy: 'chain' }]);
  });

  it('is no pause that came after an end', async () => {
    const { chain, mine, start, tokens } = setUp();
    const watch = start();
    mine(TOKEN, PAUSED);
    mine(TOKEN, UNPAUSED);
    const ended = chain.newest().number;
    mine(TOKEN, PAUSED);
    await watch.round(open);
    chain.finalize(ended);
    await watch.round(open);
    expect(tokens.size).toBe(1);
    chain.drop(1);
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect(tokens.size).toBe(0);
  });

  it('does not hide the end of a pause that was seen in a later block of another branch', async () => {
    const { chain, mine, start, tokens } = setUp();
    const watch = start();
    const branch = [mine(TOKEN, PAUSED), mine(TOKEN, UNPAUSED)];
    await watch.round(open);
    const [pausing = expect.fail('it has transactions')] = chain.drop(2);
    chain.mine();
    chain.mine();
    chain.mine([pausing]);
    await watch.round(open);
    chain.drop(3);
    chain.restore(branch);
    chain.mine();
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect(tokens.size).toBe(0);
  });

  it('is no freeze, and one in a later block is inspected after that block', async () => {
    const { chain, marked, mine, start } = setUp();
    const watch = start();
    mine(TOKEN, FROZEN, ALICE);
    await watch.round(open);
    const again = chain.drop(1);
    chain.mine();
    const { number } = chain.mine(again);
    await watch.round(open);
    expect(marked).toEqual([
      ['alice', TOKEN, number - 1],
      ['alice', TOKEN, number],
    ]);
    chain.drop(2);
    chain.mine();
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect(await all()).toMatchObject([{ code: 'TOKEN_FROZEN', status: 'closed' }]);
  });
});

describe('alarms', () => {
  it.each([...SAFE_EVENTS])('block an account at an event of its Safe that is not final (%s %s)', async (topic, change) => {
    const { blocked, mine, start } = setUp();
    mine(ALICE, topic);
    await start().round(open);
    expect(blocked).toEqual(['alice']);
    expect(await found()).toEqual([['alice', change]]);
  });

  it('block an account when a transaction waits in an enabled Delay module of its Safe', async () => {
    const { chain, blocked, mine, start } = setUp();
    const module = fakeAddress('delay');
    chain.modules.set(module, BOB);
    mine(module, DELAY_ENQUEUED);
    await start().round(open);
    expect(blocked).toEqual(['bob']);
    expect(await found()).toEqual([['bob', 'DELAY_ENQUEUED']]);
  });

  it('block an account whose set-up was signed when a transaction waits in its Delay module, also before it is active', async () => {
    const { chain, mine, start, provisioning } = setUp();
    const [ofAlice, ofBob] = [fakeAddress('delay of alice'), fakeAddress('delay of bob')];
    chain.modules.set(ofAlice, ALICE);
    chain.modules.set(ofBob, BOB);
    provisioning.set('alice', true).set('bob', false);
    mine(ALICE, topicOf('ENABLED_MODULE'));
    for (const module of [ofAlice, ofBob]) mine(module, DELAY_ENQUEUED);
    await start().round(open);
    // The set-up itself raises no alarm, whoever sends it.
    expect(await found()).toEqual([['alice', 'DELAY_ENQUEUED']]);
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
    expect(new Set(blocked)).toEqual(new Set(['alice']));
    expect(await found()).toEqual([['alice', 'ENABLED_MODULE']]);
  });

  it('are raised again for a later block that contains the transaction, also after a person has closed the first one', async () => {
    const { chain, mine, start, suspected } = setUp();
    const watch = start();
    mine(ALICE, topicOf('ENABLED_MODULE'));
    await watch.round(open);
    const [first = expect.fail('there is no exception')] = await all();
    await close(first.id);
    const again = chain.drop(1);
    chain.mine();
    const { number } = chain.mine(again);
    for (let times = 0; times < 2; times += 1) await watch.round(open);
    await start().round(open);
    // The inspection after the first block would have found nothing.
    expect(suspected).toEqual([
      ['alice', number - 1],
      ['alice', number],
    ]);
    expect(await all()).toMatchObject([{ id: first.id, status: 'open', transfer: { blockNumber: number } }]);
    expect((await all())[0]?.closedBy).toBeUndefined();
  });

  it('are closed once another branch is final, unless the account has no Safe that is inspected', async () => {
    const { chain, mine, provisioning, start, suspected } = setUp();
    const watch = start();
    const kept = mine(BOB, topicOf('ADDED_OWNER'));
    mine(ALICE, topicOf('ADDED_OWNER'));
    await watch.round(open);
    chain.finalize(kept.number);
    await watch.round(open);
    chain.drop(1);
    chain.mine();
    const stays = mine(ALICE, topicOf('CHANGED_GUARD'));
    await watch.round(open);
    expect((await all()).map(({ status }) => status)).toEqual(['open', 'open', 'open']);
    chain.finalize();
    await watch.round(open);
    expect((await all()).map(({ code, status, closedBy, transfer }) => [code, status, closedBy, transfer.blockHash])).toEqual([
      ['ADDED_OWNER', 'open', undefined, kept.hash],
      ['ADDED_OWNER', 'closed', 'chain', expect.any(String)],
      ['CHANGED_GUARD', 'open', undefined, stays.hash],
    ]);
    expect(suspected).toHaveLength(3);
    provisioning.set('bob', false);
    mine(BOB, topicOf('CHANGED_THRESHOLD'));
    provisioning.clear();
    await watch.round(open);
    provisioning.set('bob', false);
    chain.drop(1);
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect((await all()).at(-1)).toMatchObject({ code: 'CHANGED_THRESHOLD', status: 'open' });
    expect(await exceptions.awaiting(100, chain.newest().number, 10)).toEqual([]);
  });

  it('are opened by a later block also when they are closed at the same moment', async () => {
    const { chain, mine, start } = setUp();
    mine(ALICE, topicOf('ADDED_OWNER'));
    await start().round(open);
    const [first = expect.fail('there is no exception')] = await all();
    const later = { ...first, transfer: { ...first.transfer, blockNumber: 2, blockHash: chain.newest().parentHash } };
    for (let times = 0; times < 20; times += 1) {
      later.transfer = { ...later.transfer, blockNumber: 2 + times, blockHash: fakeAddress(`block ${times}`) };
      const [known = expect.fail('it is known')] = await all();
      await Promise.all([exceptions.open(later), exceptions.closeReplaced(known), close(first.id)]);
      expect((await exceptions.find(first.id))?.blocks?.map(({ blockHash }) => blockHash)).toContain(later.transfer.blockHash);
    }
  });

  it('stay for a person when the ledger refuses what was seen to leave', async () => {
    const { chain } = setUp();
    const block = chain.mine();
    const transfer = {
      chainId: 100,
      txHash: block.hash,
      logIndex: 1,
      direction: 'out',
      accountId: 'alice',
      counterparty: BOB,
      token: 'EURe',
      amount: 1n,
    } as const;
    const exception = { id: randomUUID(), status: 'open', createdAt: new Date() } as const;
    await exceptions.open({ ...exception, kind: 'left', transfer: { ...transfer, blockNumber: 1, blockHash: fakeAddress('replaced') } });
    await exceptions.open({
      ...exception,
      kind: 'refused',
      code: 'ACCOUNT_CLOSED',
      transfer: { ...transfer, blockNumber: 1, blockHash: block.hash },
    });
    chain.finalize();
    await setUp().start().round(open);
    expect(await exceptions.awaiting(100, 1, 10)).toEqual([]);
    expect(await all()).toMatchObject([{ kind: 'refused', code: 'ACCOUNT_CLOSED', status: 'open', transfer: { blockHash: block.hash } }]);
  });

  it('stay for the branch that was seen first and is final, whatever was seen between', async () => {
    const { chain, mine, start } = setUp();
    const watch = start();
    const first = mine(ALICE, topicOf('ADDED_OWNER'));
    await watch.round(open);
    const again = chain.drop(1);
    chain.mine();
    chain.mine(again);
    await watch.round(open);
    chain.drop(2);
    chain.restore([first]);
    chain.mine();
    chain.finalize();
    await watch.round(open);
    expect(await all()).toMatchObject([{ status: 'open', transfer: { blockNumber: first.number, blockHash: first.hash } }]);
  });

  it('are raised for blocks that replace final ones, and histories are read again', async () => {
    const { chain, blocked, mine, start, reread } = setUp();
    const watch = start();
    for (let n = 0; n < 3; n += 1) chain.mine();
    chain.finalize(1);
    await watch.round(open);
    chain.finalize();
    await watch.round(open);
    chain.drop(2);
    mine(ALICE, topicOf('ADDED_OWNER'));
    for (let n = 0; n < 3; n += 1) chain.mine();
    chain.finalize();
    // Another process, which has not seen them before they were final.
    await start().round(open);
    expect([blocked, reread]).toEqual([['alice'], [0]]);
    await start().round(open);
    expect(reread).toEqual([0]);
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
