import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { concatHex, type Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, installCollector, startEvm, type TestToken } from '@florin/evm/local-chain';
import { acceptTerms, COLLECTOR, COLLECTOR_ABI, DELAY_1_0_1, encodeMovements } from '@florin/evm/safe';
import { toMinorUnits } from '@florin/rpc/money';
import { quietLogger } from '@florin/rpc/testing';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { type Address, encodeFunctionData, erc20Abi, maxUint256, parseGwei, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CollectionRecord } from '../clients/settlement.ts';
import type { KnownSums } from '../domain/entry-sums.ts';
import { type SafeTransfer, transferId } from '../domain/transfer.ts';
import { agree } from '../ports/agree.ts';
import { agreeExecution } from '../ports/agree-execution.ts';
import { createJsonRpcChainNode } from '../ports/json-rpc-chain-node.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import { createRelayer } from '../relaying/relayer.ts';
import { createCollectionReportStore } from '../store/collection-reports.ts';
import { createCursorStore } from '../store/cursors.ts';
import { createExceptionStore } from '../store/exceptions.ts';
import { createSafeStores } from '../store/safe-stores.ts';
import type { StoredSafe } from '../store/safes.ts';
import { createTransferStore } from '../store/transfers.ts';
import { interruptible } from '../testing/interruptible.ts';
import { createChainWatch } from '../watching/chain-watch.ts';
import { type CollectingParts, createCollecting } from './collecting.ts';
import { createIsCollected } from './is-collected.ts';
import { createCollectionReports } from './report-collections.ts';

const DAY_MS = 86_400_000;
const LIMIT = 1000n;
const REPLACE_AFTER_MS = 30_000;
const RICH = '0x56bc75e2d63100000';
const open = () => false;

/** The token's unit is a tenth of the currency's. */
const ASSETS = {
  tokens: [{ symbol: 'EURe', decimals: 3, currency: 'EUR', chainId: 100 }],
  currencies: [{ code: 'EUR', decimals: 2 }],
};

/** The books of settlement, which have a record of each id. */
const createSettlement = () => {
  const records = new Map<string, CollectionRecord>();
  return {
    treasury: () => [...records.values()].reduce((sum, { amount }) => sum + amount, 0n),
    importCollections: async (some: readonly CollectionRecord[]) =>
      some.flatMap((record) => {
        const known = records.get(record.id) ?? record;
        records.set(record.id, known);
        return JSON.stringify([known.date, String(known.amount)]) === JSON.stringify([record.date, String(record.amount)])
          ? []
          : [record.id];
      }),
  };
};

/** An account in the ledger: available, settling, and what others have received from it less what it received from them. */
type Book = {
  available: bigint;
  settling: bigint;
  held: bigint;
  incoming: bigint;
  elsewhere: bigint;
  refused: bigint;
  nettings: number;
  netted: bigint;
};

/** A ledger with the rules that collections rest on: an entry once, settling money never below zero, and others owe what was collected beyond it. */
const createBooks = () => {
  const books = new Map<string, Book>();
  const written = new Set<string>();
  const once = (id: string, write: () => void): boolean => {
    if (written.has(id)) return false;
    written.add(id);
    write();
    return true;
  };
  const of = (accountId: string): Book => {
    const sums = { available: 0n, settling: 0n, held: 0n, incoming: 0n, elsewhere: 0n, refused: 0n, nettings: 0, netted: 0n };
    const book = books.get(accountId) ?? sums;
    books.set(accountId, book);
    return book;
  };
  return {
    of,
    spend: (accountId: string, amount: bigint) => {
      of(accountId).available -= amount;
      of(accountId).settling += amount;
    },
    hold: (accountId: string, amount: bigint) => {
      of(accountId).available -= amount;
      of(accountId).held += amount;
    },
    /** Ends a hold of an amount: it is cleared, or lapses. */
    end: (accountId: string, amount: bigint, into: 'settling' | 'available') => {
      of(accountId).held -= amount;
      of(accountId)[into] += amount;
    },
    /** A deposit that arrived as available is not screened, or is rejected, after all. */
    screen: (accountId: string, amount: bigint, into: 'incoming' | 'refused') => {
      of(accountId).available -= amount;
      of(accountId)[into] += amount;
      if (into === 'refused') of(accountId).elsewhere += amount;
    },
    refund: (accountId: string, amount: bigint) => {
      of(accountId).available += amount;
      of(accountId).elsewhere -= amount;
    },
    movements: {
      book: async (transfer: SafeTransfer) => {
        const signed = transfer.direction === 'in' ? transfer.amount : -transfer.amount;
        once(`movement ${transferId(transfer)}`, () => {
          of(transfer.accountId).available += signed;
        });
        return undefined;
      },
    },
    entries: {
      totalsAfter: async (accountId: string): ReturnType<CollectingParts['entries']['totalsAfter']> => ({
        totals: new Map([['EURe', { booked: 0n, ...of(accountId) }]]),
        sums: undefined,
      }),
    },
    bookings: {
      book: async ({ accountId, amount, direction, ...transfer }: SafeTransfer) => {
        once(transferId({ ...transfer, direction }), () => {
          const book = of(accountId);
          const settled = direction === 'in' ? -amount : amount < book.settling ? amount : book.settling;
          book.settling -= settled;
          if (direction === 'out') book.elsewhere -= amount - settled;
        });
      },
      net: async ({ accountId }: { accountId: string }, owed: bigint, n: number) => {
        const book = of(accountId);
        if (book.nettings !== n || book.settling + owed < 0n) return false;
        book.nettings += 1;
        book.settling += owed;
        book.elsewhere -= owed;
        book.netted -= owed;
        return true;
      },
    },
  };
};

describeOnEvm('collecting', { timeout: 300_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  let treasury: Address;
  let store: Awaited<ReturnType<typeof openStore>>;
  let stores: ReturnType<typeof createSafeStores>;
  const owner = privateKeyToAccount(generatePrivateKey());
  const relayerKey = createLocalKeySigner(generatePrivateKey());

  const sendAs = (from: Address, to: Address, data: Hex) => evm.rpc<Hex>('eth_sendTransaction', [{ from, to, data, gas: '0x4c4b40' }]);
  const collector = (functionName: 'setOperator', args: readonly [Address, boolean]): Hex =>
    encodeFunctionData({ abi: COLLECTOR_ABI, functionName, args });

  beforeAll(async () => {
    evm = await startEvm(100);
    token = await deployToken(evm);
    await installCollector(evm);
    const [, second] = await evm.rpc<Address[]>('eth_accounts');
    treasury = second as Address;
    await evm.rpc('hardhat_setBalance', [relayerKey.address, RICH]);
    await sendAs(treasury, COLLECTOR.address, collector('setOperator', [relayerKey.address, true]));
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] });
    await sendAs(treasury, token.address, approval);
    const { mongodbUri, database } = testEngines();
    store = await openStore({ uri: mongodbUri, database: `${database}_collecting`, poolSize: 2, logger: quietLogger });
    stores = createSafeStores(store.connection);
    await store.ready();
  }, 180_000);
  afterAll(async () => {
    await store?.connection.dropDatabase();
    await store?.connection.close();
    await evm?.close();
  });

  let scenes = 100;
  let salts = 0n;
  /** A program of accounts on the chain. The stores tell scenes apart by a chain id of their own. */
  const newScene = async (above: readonly (readonly [string, bigint])[] | undefined = [['EURe', 1n]], collects = true) => {
    scenes += 1;
    const chainId = scenes;
    const books = createBooks();
    const accounts = new Map<Hex, string>();
    const blocked: string[] = [];
    const settlement = createSettlement();
    const before = await token.balanceOf(treasury);
    const cursors = createCursorStore(store.connection);
    const transfers = createTransferStore(store.connection);
    const reports = createCollectionReportStore(store.connection);
    let time = Date.now();
    const runtime = { now: () => new Date(time), newId: () => randomUUID() };
    const exceptions = createExceptionStore(store.connection, runtime);
    await store.ready();
    const symbols = new Map<Hex, string>([[token.address.toLowerCase() as Hex, 'EURe']]);
    const execution = agreeExecution([createJsonRpcExecutionNode(evm.url), createJsonRpcExecutionNode(evm.url)]);
    const start = await evm.blockNumber();

    const newAccount = async (deposit: bigint, isCollected = true) => {
      salts += 1n;
      const accountId = randomUUID();
      const safe = await evm.deploySafe([owner.address], 1, salts);
      const terms = { treasury, limits: [{ token: token.address, perDay: LIMIT.toString() }] };
      for (const call of acceptTerms(terms)) await evm.executeFromSafe(safe, owner, call);
      accounts.set(safe.toLowerCase() as Hex, accountId);
      const delay = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600, ...(isCollected ? { terms } : {}) };
      const parties = { accountId, chainId, safe, owner: owner.address, platform: treasury };
      const setUp = { nonce: '0', signature: '0x', tries: 1 } as const;
      const stored: StoredSafe = { ...parties, delay, status: 'relaying', jobId: 'set-up#1', findings: [], setUp };
      await stores.safes.request(stored);
      await stores.safes.inspected(stored, { findings: [], delay, block: 1, at: runtime.now(), dueAt: new Date(time + DAY_MS) });
      await token.pay(safe, deposit);
      return { accountId, safe };
    };

    const isCollected = createIsCollected(execution);
    const isMovement = async (transfer: SafeTransfer) =>
      transfer.counterparty === treasury.toLowerCase() && (transfer.direction === 'in' || (await isCollected(transfer)));

    /** A process, which may be killed at each step. */
    const process = (step: () => void = () => undefined, entries: CollectingParts['entries'] = books.entries, logger = quietLogger) => {
      const cursor = { find: cursors.find, begin: cursors.begin, advance: cursors.advance, halt: cursors.halt };
      const watch = createChainWatch({
        chainId,
        // The scene's id is not that of the node.
        node: { ...agree([createJsonRpcChainNode(evm.url), createJsonRpcChainNode(evm.url)]), chainId: async () => chainId },
        nodes: 2,
        symbols,
        startBlock: start,
        cursors: interruptible(cursor, step),
        booking: {
          accounts: {
            findBySafes: async (_chain, addresses) =>
              new Map(addresses.flatMap((one) => (accounts.has(one) ? [[one, String(accounts.get(one))]] : []))),
            block: async (accountId) => void blocked.push(accountId),
          },
          movements: interruptible(books.movements, step),
          transfers: interruptible(transfers, step),
          exceptions,
          settle: async (transfer) => {
            if (!(await isMovement(transfer))) return false;
            await interruptible(books.bookings, step).book(transfer);
            return true;
          },
          now: runtime.now,
        },
        spending: { haltChain: async () => undefined, resumeChain: async () => undefined },
        runtime,
        logger: quietLogger,
      });
      const parts: CollectingParts = {
        chainId,
        node: interruptible(execution, step),
        safes: interruptible(stores.safes, step),
        collections: interruptible(stores.collections, step),
        jobs: interruptible(stores.jobs, step),
        entries: interruptible(entries, step),
        ledger: interruptible(books.bookings, step),
        cursor: () => cursors.find(chainId),
        symbols,
        operator: relayerKey.address,
        everyMs: 1,
        above: collects ? new Map(above) : undefined,
        minorUnitOf: () => 10n,
        runtime,
      };
      const reporting = createCollectionReports({
        chainId,
        node: agree([createJsonRpcChainNode(evm.url)]),
        cursors,
        transfers,
        reports: interruptible(reports, step),
        settlement: interruptible(settlement, step),
        isMovement,
        assets: ASSETS,
        logger: quietLogger,
      });
      const relayer = createRelayer({
        chainId,
        node: interruptible(execution, step),
        // Signs for the chain that there is.
        signer: { ...relayerKey, signTransaction: (transaction) => relayerKey.signTransaction({ ...transaction, chainId: 100 }) },
        share: { first: { configured: [relayerKey.address], lost: [] }, exclusive: [] },
        jobs: interruptible(stores.jobs, step),
        lanes: interruptible(stores.lanes, step),
        replaceAfterMs: REPLACE_AFTER_MS,
        feeLimit: { fee: parseGwei('1000'), tip: parseGwei('1000') },
        now: runtime.now,
        logger,
      });
      return { watch, collecting: createCollecting(parts), relayer, reporting };
    };
    const pass = (ms: number): void => {
      time += ms;
    };
    /** A round of everything. */
    const turn = async ({ watch, collecting, relayer, reporting } = process()): Promise<void> => {
      for (const { round } of [watch, reporting, collecting, relayer]) {
        pass(5);
        await round(open);
      }
    };
    const settle = async (): Promise<void> => {
      for (let count = 0; count < 6; count += 1) await turn();
    };
    /** The chain and the books agree about every account, and settlement's with the treasury. */
    const expectAgreement = async (): Promise<void> => {
      expect(settlement.treasury()).toBe(toMinorUnits((await token.balanceOf(treasury)) - before, 3, 2));
      for (const [safe, accountId] of accounts) {
        const { available, settling, held, incoming, elsewhere } = books.of(accountId);
        expect(await token.balanceOf(safe)).toBe(available + settling + held + incoming + elsewhere);
      }
    };
    await turn();
    return { books, newAccount, process, turn, settle, pass, blocked, expectAgreement, settlement, reports, chainId, now: runtime.now };
  };

  const collectedNow = () => token.balanceOf(treasury);

  it('moves what was spent to the treasury, once, and books neither a deposit nor a withdrawal', async () => {
    const { books, newAccount, settle, blocked, expectAgreement } = await newScene();
    const [one, two] = [await newAccount(500n), await newAccount(900n)];
    await settle();
    const before = await collectedNow();
    books.spend(one.accountId, 120n);
    books.spend(two.accountId, 900n);
    await settle();
    expect((await collectedNow()) - before).toBe(1020n);
    expect(books.of(one.accountId)).toMatchObject({ available: 380n, settling: 0n });
    expect(books.of(two.accountId)).toMatchObject({ available: 0n, settling: 0n });
    expect(blocked).toEqual([]);
    await settle();
    expect((await collectedNow()) - before).toBe(1020n);
    await expectAgreement();
  });

  it('reports everything again when blocks were replaced, and settlement has each movement once', async () => {
    const { books, newAccount, settle, expectAgreement, settlement, reports, chainId } = await newScene();
    const { accountId } = await newAccount(500n);
    await settle();
    books.spend(accountId, 123n);
    await settle();
    // Three tenths of a cent wait until they are one.
    expect(books.of(accountId).settling).toBe(3n);
    expect(settlement.treasury()).toBe(12n);
    const reported = (await reports.find(chainId)) ?? expect.fail('it is reported');
    await reports.move(reported, { ...reported, hash: `0x${'0'.repeat(64)}`, number: reported.number - 1 });
    books.spend(accountId, 7n);
    await settle();
    expect(settlement.treasury()).toBe(13n);
    await expectAgreement();
  });

  it('nets refunds with what was spent, and returns from the treasury what exceeds it', async () => {
    const { books, newAccount, settle, process, pass, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    const before = await collectedNow();
    books.spend(accountId, 200n);
    books.refund(accountId, 50n);
    await settle();
    expect((await collectedNow()) - before).toBe(150n);
    expect(books.of(accountId)).toMatchObject({ available: 350n, settling: 0n, elsewhere: 0n });
    books.refund(accountId, 70n);
    await settle();
    expect((await collectedNow()) - before).toBe(80n);
    expect(books.of(accountId)).toMatchObject({ available: 420n, settling: 0n, elsewhere: 0n });
    expect(await token.balanceOf(safe)).toBe(420n);
    // More than was ever collected: a person pays it, and it is no deposit.
    books.refund(accountId, 100n);
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 520n, settling: 0n, elsewhere: -20n });
    const { collecting } = process();
    const failing = async () => {
      pass(5);
      await collecting.round(open);
      return collecting.failing();
    };
    expect(await failing()).toBe(1);
    await sendAs(treasury, token.address, token.transfer(safe, 20n));
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 520n, settling: 0n, elsewhere: 0n });
    expect(await failing()).toBe(0);
    await expectAgreement();
  });

  it('tells of a refund that the treasury lacks the tokens for, and returns it once they are there', async () => {
    const { books, newAccount, settle, process, pass, expectAgreement } = await newScene();
    const { accountId } = await newAccount(500n);
    await settle();
    books.spend(accountId, 200n);
    await settle();
    const [, , elsewhere] = await evm.rpc<Address[]>('eth_accounts');
    const held = await token.balanceOf(treasury);
    await sendAs(treasury, token.address, token.transfer(elsewhere as Address, held));
    books.refund(accountId, 50n);
    await settle();
    const { collecting } = process();
    pass(5);
    await collecting.round(open);
    expect([books.of(accountId).elsewhere, collecting.failing()]).toEqual([-50n, 1]);
    await sendAs(elsewhere as Address, token.address, token.transfer(treasury, held));
    await settle();
    pass(5);
    await collecting.round(open);
    expect([books.of(accountId).elsewhere, collecting.failing()]).toEqual([0n, 0]);
    await expectAgreement();
  });

  it.each([
    ['of a Safe that allows nothing to be collected', true, false],
    ['where nothing is collected', false, true],
  ])('nets refunds with what was spent %s', async (_name, collects, isCollected) => {
    const { books, newAccount, settle, expectAgreement } = await newScene(undefined, collects);
    const { accountId, safe } = await newAccount(500n, isCollected);
    await settle();
    const before = await collectedNow();
    books.spend(accountId, 200n);
    books.refund(accountId, 150n);
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 450n, settling: 50n, elsewhere: 0n });
    // The refund is taken back, and a fee is paid, which was not spent by card.
    books.refund(accountId, -190n);
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 260n, settling: 200n, elsewhere: 40n });
    // More than was spent.
    books.refund(accountId, 300n);
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 560n, settling: 0n, elsewhere: -60n });
    expect([(await collectedNow()) - before, await token.balanceOf(safe)]).toEqual([0n, 500n]);
    await expectAgreement();
  });

  it('collects once a day, but at once what reaches the amount, and from an owner who leaves', async () => {
    const { books, newAccount, settle, pass } = await newScene([['EURe', 100n]]);
    const { accountId } = await newAccount(900n);
    await settle();
    books.spend(accountId, 10n);
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
    books.spend(accountId, 99n);
    await settle();
    expect(books.of(accountId).settling).toBe(99n);
    books.spend(accountId, 1n);
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
    books.spend(accountId, 20n);
    await settle();
    expect(books.of(accountId).settling).toBe(20n);
    await stores.safes.recheck(accountId, 1_000_000, new Date(0));
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
    await store.connection.collection<{ _id: string }>('safes').updateOne({ _id: accountId }, { $unset: { recheckBlock: 1 } });
    books.spend(accountId, 30n);
    pass(DAY_MS);
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
  });

  it('takes the rest the next day when the limit is used up, and what is there when the Safe is drained', async () => {
    const { books, newAccount, settle, pass, expectAgreement } = await newScene();
    const [rich, poor] = [await newAccount(3000n), await newAccount(500n)];
    await settle();
    books.spend(rich.accountId, 1700n);
    books.spend(poor.accountId, 400n);
    // The owner has left with the money.
    const drain = token.transfer(owner.address, 445n);
    await evm.executeFromSafe(poor.safe, owner, { to: token.address, data: drain });
    await settle();
    expect(books.of(rich.accountId).settling).toBe(700n);
    expect(books.of(poor.accountId)).toMatchObject({ available: -345n, settling: 350n });
    await evm.rpc('evm_increaseTime', [86_400]);
    await evm.mine();
    pass(DAY_MS);
    await token.pay(poor.safe, 360n);
    await settle();
    expect(books.of(rich.accountId)).toMatchObject({ available: 1300n, settling: 0n });
    expect(books.of(poor.accountId)).toMatchObject({ available: 15n, settling: 0n });
    await expectAgreement();
  });

  it('tries a movement that has failed again after a day, and tells of it until then', async () => {
    const { books, newAccount, settle, process, pass, expectAgreement, chainId } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    const { watch, collecting, relayer } = process();
    for (const { round } of [watch, collecting]) await round(open);
    // It is planned, and not sent yet.
    await evm.executeFromSafe(safe, owner, { to: token.address, data: token.transfer(owner.address, 450n) });
    await relayer.round(open);
    await settle();
    expect(await stores.collections.countFailing(chainId)).toBe(1);
    expect(books.of(accountId).settling).toBe(100n);
    pass(DAY_MS);
    await settle();
    expect(books.of(accountId).settling).toBe(50n);
    await token.pay(safe, 100n);
    pass(DAY_MS);
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
    expect(await stores.collections.countFailing(chainId)).toBe(0);
    await expectAgreement();
  });

  /** Has the token refuse transfers from and to an address, as tokens with a list of blocked addresses do. @returns what ends it */
  const freeze = async (address: Address): Promise<() => Promise<unknown>> => {
    const code = await evm.rpc<Hex>('eth_getCode', [token.address, 'latest']);
    const implementation = privateKeyToAccount(generatePrivateKey()).address;
    const set = (at: Address, to: Hex) => evm.rpc('hardhat_setCode', [at, to]);
    const isArgument = (offset: Hex): Hex => concatHex(['0x60', offset, '0x3573', address, '0x14']);
    await set(implementation, code);
    const frozen = concatHex([
      // transferFrom with the address as an argument: to the last line
      ...(['0x60003560e01c6323b872dd14', isArgument('0x04'), isArgument('0x24'), '0x1716607957'] as const),
      // Anything else is the implementation's, and its result is returned, or reverts.
      ...(['0x366000600037', '0x6000600036600073', implementation, '0x5af4', '0x3d600060003e', '0x607457', '0x3d6000fd'] as const),
      ...(['0x5b3d6000f3', '0x5b60006000fd'] as const),
    ]);
    await set(token.address, frozen);
    return () => set(token.address, code);
  };

  it('collects from the others of a batch when the token is frozen in one Safe, and the rest when it is freed', async () => {
    const { books, newAccount, settle, process, pass, expectAgreement, chainId } = await newScene();
    const [frozen, other] = [await newAccount(500n), await newAccount(500n)];
    await settle();
    for (const { accountId } of [frozen, other]) books.spend(accountId, 100n);
    const { watch, collecting, relayer } = process();
    for (const { round } of [watch, collecting]) await round(open);
    const free = await freeze(frozen.safe);
    await relayer.round(open);
    await settle();
    expect(books.of(frozen.accountId).settling).toBe(100n);
    expect(books.of(other.accountId).settling).toBe(0n);
    expect(await stores.collections.countFailing(chainId)).toBe(1);
    await free();
    pass(DAY_MS);
    await settle();
    expect(books.of(frozen.accountId).settling).toBe(0n);
    expect(await stores.collections.countFailing(chainId)).toBe(0);
    await expectAgreement();
  });

  it('collects nothing while the token is frozen in the treasury, tells of it, and loses nothing', async () => {
    const { books, newAccount, settle, process, pass, expectAgreement, chainId } = await newScene();
    const accounts = [await newAccount(500n), await newAccount(500n)];
    await settle();
    for (const { accountId } of accounts) books.spend(accountId, 100n);
    const { watch, collecting, relayer } = process();
    for (const { round } of [watch, collecting]) await round(open);
    const free = await freeze(treasury);
    await relayer.round(open);
    await settle();
    expect(accounts.map(({ accountId }) => books.of(accountId).settling)).toEqual([100n, 100n]);
    expect(await stores.collections.countFailing(chainId)).toBe(2);
    await free();
    pass(DAY_MS);
    await settle();
    expect(accounts.map(({ accountId }) => books.of(accountId).settling)).toEqual([0n, 0n]);
    await expectAgreement();
  });

  it('waits and warns while gas costs more than the limit, and collects when it costs less', async () => {
    const { books, newAccount, settle, process, pass, turn, expectAgreement } = await newScene();
    const { accountId } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    const setBaseFee = async (gwei: string): Promise<void> => {
      await evm.rpc('hardhat_setNextBlockBaseFeePerGas', [toHex(parseGwei(gwei))]);
      await evm.mine();
    };
    await setBaseFee('2000');
    const warnings: string[] = [];
    const warn = (_fields: unknown, text?: string) => void warnings.push(String(text));
    for (let count = 0; count < 3; count += 1) {
      await turn(process(undefined, undefined, { ...quietLogger, warn } as typeof quietLogger));
      pass(REPLACE_AFTER_MS);
    }
    expect(books.of(accountId).settling).toBe(100n);
    expect(warnings.some((text) => text.includes('CHAIN_MAX_FEE_GWEI'))).toBe(true);
    await setBaseFee('1');
    await settle();
    expect(books.of(accountId).settling).toBe(0n);
    await expectAgreement();
  });

  it('collects once when a reorganization drops the batch before it is booked', async () => {
    const { books, newAccount, settle, process, expectAgreement } = await newScene();
    const accounts = [await newAccount(500n), await newAccount(500n)];
    await settle();
    for (const { accountId } of accounts) books.spend(accountId, 100n);
    const before = await collectedNow();
    const { watch, collecting, relayer } = process();
    for (const { round } of [watch, collecting]) await round(open);
    const snapshot = await evm.rpc<Hex>('evm_snapshot');
    await relayer.round(open);
    expect((await collectedNow()) - before).toBe(200n);
    await evm.rpc('evm_revert', [snapshot]);
    await evm.mine();
    expect(await collectedNow()).toBe(before);
    await settle();
    expect((await collectedNow()) - before).toBe(200n);
    expect(accounts.map(({ accountId }) => books.of(accountId).settling)).toEqual([0n, 0n]);
    await expectAgreement();
  });

  it('collects what is held from an owner who leaves, and returns what then lapses', async () => {
    const { books, newAccount, settle, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 40n);
    books.hold(accountId, 100n);
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 360n, held: 100n, settling: 0n, elsewhere: 0n });
    await stores.safes.recheck(accountId, 1_000_000, new Date(0));
    await settle();
    expect(await token.balanceOf(safe)).toBe(360n);
    // The treasury has what is held.
    expect(books.of(accountId)).toMatchObject({ available: 360n, held: 100n, settling: 0n, elsewhere: -100n });
    await settle();
    expect(await token.balanceOf(safe)).toBe(360n);
    books.end(accountId, 70n, 'settling');
    books.end(accountId, 30n, 'available');
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 390n, held: 0n, settling: 0n, elsewhere: 0n });
    expect(await token.balanceOf(safe)).toBe(390n);
    await expectAgreement();
  });

  it('returns what was held once the owner has stayed', async () => {
    const { books, newAccount, settle, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.hold(accountId, 100n);
    await stores.safes.recheck(accountId, 1_000_000, new Date(0));
    await settle();
    expect(await token.balanceOf(safe)).toBe(400n);
    await store.connection.collection<{ _id: string }>('safes').updateOne({ _id: accountId }, { $unset: { recheckBlock: 1 } });
    await settle();
    expect(await token.balanceOf(safe)).toBe(500n);
    expect(books.of(accountId)).toMatchObject({ available: 400n, held: 100n, settling: 0n, elsewhere: 0n });
    await expectAgreement();
  });

  it.each(['incoming', 'refused'] as const)('leaves deposits that are %s in the Safe', async (into) => {
    const { books, newAccount, settle, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 500n);
    // The owner has left with what was spent, and more arrives, of which nobody knows yet where it is from.
    await evm.executeFromSafe(safe, owner, { to: token.address, data: token.transfer(owner.address, 450n) });
    books.screen(accountId, 80n, into);
    await token.pay(safe, 80n);
    await settle();
    expect(await token.balanceOf(safe)).toBe(80n);
    expect(books.of(accountId).settling).toBe(450n);
    await expectAgreement();
  });

  it('leaves a deposit that is not booked yet in the Safe', async () => {
    const { books, newAccount, settle, process, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 500n);
    await evm.executeFromSafe(safe, owner, { to: token.address, data: token.transfer(owner.address, 480n) });
    const { watch, collecting, relayer } = process();
    await watch.round(open);
    await token.pay(safe, 80n);
    await collecting.round(open);
    await relayer.round(open);
    await relayer.round(open);
    expect(await token.balanceOf(safe)).toBe(80n);
    await settle();
    await expectAgreement();
  });

  it('looks first at a Safe that an alarm concerns', async () => {
    const { newAccount, settle, chainId } = await newScene();
    const [one, other] = [await newAccount(1n), await newAccount(1n)];
    await settle();
    await stores.safes.recheck(other.accountId, 1_000_000, new Date());
    const due = await stores.safes.dueForCollection(chainId, new Date('9999-01-01'), 2);
    expect(due.map(({ accountId }) => accountId)).toEqual([other.accountId, one.accountId]);
  });

  it('postpones a Safe that it cannot look at, so that others have their turn', async () => {
    const { newAccount, process, turn, books, chainId, now } = await newScene();
    const { accountId } = await newAccount(500n);
    await turn();
    const due = async () => (await stores.safes.dueForCollection(chainId, new Date(now().getTime() + 1), 10)).map((one) => one.accountId);
    await store.connection.collection<{ _id: string }>('safes').updateOne({ _id: accountId }, { $set: { collectAt: new Date(0) } });
    const totalsAfter = async () => {
      throw new Error('the ledger is away');
    };
    const { collecting } = process(undefined, { ...books.entries, totalsAfter });
    await expect(collecting.round(open)).rejects.toThrow('the ledger is away');
    const [first] = await stores.safes.dueForCollection(chainId, now(), 10);
    expect([first, await due()]).toEqual([undefined, [accountId]]);
  });

  it('names at the next look the sums that it knows', async () => {
    const { newAccount, process, turn, books } = await newScene();
    const { accountId } = await newAccount(500n);
    await turn();
    const sums = { position: 'p1', tokens: new Map([['EURe', { booked: 7n, elsewhere: -1n, refused: 0n, nettings: 2, netted: 3n }]]) };
    const asked: (KnownSums | undefined)[] = [];
    const totalsAfter = async (id: string, known: KnownSums | undefined) => {
      asked.push(known);
      return { ...(await books.entries.totalsAfter(id)), sums };
    };
    const { collecting } = process(undefined, { totalsAfter });
    for (let look = 0; look < 3; look += 1) {
      await stores.safes.collectSoon(accountId, new Date(0));
      await collecting.round(open);
    }
    expect(asked).toEqual([undefined, sums, sums]);
  });

  it('stays due when an alarm comes while it looks', async () => {
    const { newAccount, settle, chainId } = await newScene();
    const { accountId } = await newAccount(500n);
    await settle();
    const read = (await stores.safes.find(accountId)) ?? expect.fail('it is stored');
    await stores.safes.recheck(accountId, 1_000_000, new Date(0));
    await stores.safes.collected([read], new Date('9999-12-31'));
    expect((await stores.safes.dueForCollection(chainId, new Date(), 10)).map((one) => one.accountId)).toContain(accountId);
  });

  it('waits while the relayer is no operator of the treasury, and books what anyone else has the Collector move', async () => {
    const { books, newAccount, process, settle, pass, expectAgreement, chainId } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    await sendAs(treasury, COLLECTOR.address, collector('setOperator', [relayerKey.address, false]));
    const { collecting } = process();
    await collecting.round(open);
    await settle();
    expect([books.of(accountId).settling, collecting.failing()]).toEqual([100n, 1]);
    expect(await stores.jobs.queued(chainId, 1, { relayer: relayerKey.address, exclusive: [] })).toEqual([]);
    // A stolen key of another operator takes too much: it goes to the treasury, which owes it.
    const [, , thief] = await evm.rpc<Address[]>('eth_accounts');
    await sendAs(treasury, COLLECTOR.address, collector('setOperator', [thief as Address, true]));
    const stolen = { account: safe, token: token.address, amount: 130n, nonce: 0, back: false };
    await sendAs(thief as Address, COLLECTOR.address, encodeMovements(treasury, [stolen]).data);
    await sendAs(treasury, COLLECTOR.address, collector('setOperator', [thief as Address, false]));
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 400n, settling: 0n, elsewhere: -30n });
    await sendAs(treasury, COLLECTOR.address, collector('setOperator', [relayerKey.address, true]));
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 400n, settling: 0n, elsewhere: 0n });
    expect(await token.balanceOf(safe)).toBe(400n);
    pass(5);
    await collecting.round(open);
    expect(collecting.failing()).toBe(0);
    await expectAgreement();
  });

  it('returns nothing of what an owner sends to the treasury: it was not collected', async () => {
    const { books, newAccount, settle, settlement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    await settle();
    const collected = await collectedNow();
    books.screen(accountId, 80n, 'refused');
    await evm.executeFromSafe(safe, owner, { to: token.address, data: token.transfer(treasury, 80n) });
    await settle();
    await settle();
    // It is booked as any other withdrawal without the platform.
    expect(books.of(accountId)).toMatchObject({ available: 240n, settling: 0n, refused: 80n, elsewhere: 80n });
    expect([await token.balanceOf(safe), await collectedNow()]).toEqual([320n, collected + 80n]);
    expect(settlement.treasury()).toBe(toMinorUnits(100n, 3, 2));
  });

  it('goes on the same day when it is killed between a plan and its job', async () => {
    const { books, newAccount, process, settle, expectAgreement } = await newScene([['EURe', 1000n]]);
    const { accountId } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    const { collecting } = process();
    const kill = vi.spyOn(stores.jobs, 'add').mockRejectedValueOnce(new Error('killed'));
    await expect(collecting.round(open)).rejects.toThrow('killed');
    kill.mockRestore();
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 400n, settling: 0n });
    await expectAgreement();
  });

  it('returns a refund whose money another process has planned to collect', async () => {
    const { books, newAccount, process, settle, expectAgreement } = await newScene();
    const { accountId, safe } = await newAccount(500n);
    await settle();
    books.spend(accountId, 100n);
    // One process has read what was spent, and the other pays the refund out of it before the first has sent.
    let refunds = 1;
    const totalsAfter: typeof books.entries.totalsAfter = async (...args) => {
      const read = await books.entries.totalsAfter(...args);
      if (refunds-- > 0) {
        books.refund(accountId, 60n);
        await process().collecting.round(open);
      }
      return read;
    };
    const { watch, collecting, relayer } = process(undefined, { totalsAfter });
    await watch.round(open);
    await collecting.round(open);
    await relayer.round(open);
    await settle();
    await settle();
    expect(books.of(accountId)).toMatchObject({ available: 460n, settling: 0n, elsewhere: 0n });
    expect(await token.balanceOf(safe)).toBe(460n);
    await expectAgreement();
  });

  it.each([1, 2, 3])('collects and returns nothing twice, and loses nothing, when it is killed anywhere (seed %d)', async (seed) => {
    const random = seededRandom(seed);
    const below = (most: number) => Math.floor(random() * most);
    const { books, newAccount, process, turn, settle, expectAgreement } = await newScene();
    const accounts: { accountId: string; left: bigint }[] = [];
    while (accounts.length < 3) accounts.push({ ...(await newAccount(5000n)), left: 5000n });
    await settle();
    for (let count = 0; count < 25; count += 1) {
      const account = accounts[below(accounts.length)] ?? expect.fail('there are accounts');
      const [isSpent, amount] = [below(3) > 0, BigInt(10 + 10 * below(20))];
      account.left += isSpent ? -amount : amount;
      books[isSpent ? 'spend' : 'refund'](account.accountId, amount);
      let left = below(120);
      const killed = process(() => {
        left -= 1;
        if (left === 0) throw new Error('killed');
      });
      // A second process works at the same time.
      await Promise.allSettled([turn(killed), below(4) === 0 ? turn() : undefined]);
    }
    await settle();
    await settle();
    await expectAgreement();
    for (const { accountId, left } of accounts) {
      const { available, settling, elsewhere } = books.of(accountId);
      expect([available, settling]).toEqual([left, 0n]);
      expect(elsewhere).toBeLessThanOrEqual(0n);
    }
  });
});
