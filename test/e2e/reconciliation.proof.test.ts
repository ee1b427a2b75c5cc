import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReserves, ReservesError, setUpAccount } from '@florin/client/viem';
import { openRedis } from '@florin/data/redis';
import { describeOnEvm, type Evm, startEvm } from '@florin/evm/local-chain';
import { predictSafeAddress } from '@florin/evm/safe';
import { ReconciliationService } from '@florin/proto/chain/v1/reconciliation_service';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { WatchState } from '@florin/proto/chain/v1/watch';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import type { RpcChannel } from '@florin/rpc/client';
import { fakeClock, quietLogger } from '@florin/rpc/testing';
import { waitFor as waitUntil } from '@florin/rpc/testing/wait-for';
import { type Address, getAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../services/settlement/src/cli/run-command-line.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { installCollection } from '../support/evm-collection.ts';
import { evmTokens } from '../support/evm-tokens.ts';
import { newHeadKey } from '../support/new-head-key.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { requestExit } from '../support/request-exit.ts';
import { accountOf, createCard, registerPerson } from '../support/story.ts';

const CHAIN_ID = 100;
/** Each step takes several rounds of polling, and every service shares the machine. */
const WAIT_MS = 180_000;
const waitFor = <T>(what: string, probe: () => Promise<T | undefined>): Promise<T> => waitUntil(what, probe, WAIT_MS);

const UNIT = 10n ** 18n;
const DAY_SECONDS = 86_400;
/** Days that pass. */
const DAYS = 10;
const programOf = (name: string): string => new URL(`../../deploy/local/src/${name}.ts`, import.meta.url).pathname;

const LEDGER_COMMANDS = new URL('../../services/ledger/src/cli/main.ts', import.meta.url).pathname;

describeOnEvm('reconciliation', { timeout: 600_000 }, () => {
  let evm: Evm;
  let tokens: Awaited<ReturnType<typeof evmTokens>>;
  let eure: Address;
  let treasury: Address;
  let platform: PlatformInProcess;
  let network: CardNetwork;
  let chain: RpcChannel;
  let dataDir: string;

  beforeAll(async () => {
    // The days that a test lets pass end before now: who checks a proof of reserves believes none of the future.
    const start = new Date(Date.now() - DAYS * DAY_SECONDS * 1000 - 3_600_000);
    evm = await startEvm(CHAIN_ID, start);
    tokens = await evmTokens(evm);
    eure = await tokens.deploy('EURe');
    const collection = await installCollection(evm, eure);
    treasury = collection.treasury;
    platform = await startPlatformInProcess(
      {
        ...onChainEure({ address: eure }),
        LEDGER_HEAD_KEY: newHeadKey(),
        ...collection.environment,
      },
      {
        chain: {
          CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: [evm.url] }),
          CHAIN_POLL_MS: '50',
          RECONCILE_ACCOUNTS_PER_SECOND: '1000',
          RESERVES_INTERVAL_SECONDS: '60',
        },
        settlement: {},
        clock: fakeClock(start),
      },
    );
    network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
    const scopes = [CHAIN_SCOPES.readWatches, CHAIN_SCOPES.readBalances];
    chain = openOperatorChannel(platform, { audience: 'chain', baseUrl: platform.chainUrl, scopes });
    dataDir = await mkdtemp(join(tmpdir(), 'florin-reconcile-'));
    await mkdir(join(dataDir, 'keys'));
    await writeFile(join(dataDir, 'keys', 'operator.key.json'), JSON.stringify(platform.operatorKey));
    await writeFile(join(dataDir, 'urls.json'), JSON.stringify({ chain: platform.chainUrl, gateway: platform.url }));
  }, 120_000);
  afterAll(async () => {
    await network?.close();
    await chain?.close();
    await platform?.close();
    await evm?.close();
    if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
  });

  /** The exit code and the lines of a program. */
  const execute = (path: string, args: readonly string[]): Promise<{ code: number; lines: string[] }> =>
    new Promise((resolve) => {
      execFile(process.execPath, [path, ...args], { timeout: 100_000 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), lines: `${stdout}${stderr}`.trim().split('\n') }),
      );
    });
  const run = (program: string, ...args: string[]) => execute(programOf(program), [...args, '--data-dir', dataDir]);

  const reconcile = () => run('reconcile');

  /** The comparison that the program prints, without a process for each look; undefined where it fails. */
  const compared = () =>
    chain
      .client(ReconciliationService)
      .reconcileBalances({ page: { limit: 100 } })
      .catch(() => undefined);

  /** Waits until the books agree with the chain, and the program says so. */
  const untilAgreed = (what: string): Promise<true> =>
    whilePassing(what, async () => {
      const seen = await compared();
      return seen?.differences.length === 0 && (await reconcile()).code === 0 ? true : undefined;
    });

  /** The newest proof of reserves; its first part is enough for a few accounts. */
  const reservesText = async (): Promise<string> => {
    const { body } = await platform.api.request('GET', '/.well-known/proof-of-reserves');
    return (body as { text?: string }).text ?? '';
  };

  const today = () => platform.clock.now().toISOString().slice(0, 10);

  /** Waits while time passes about as fast as it does: each minute a proof of reserves is due, and what has failed is tried again. */
  const whilePassing = <T>(what: string, probe: () => Promise<T | undefined>): Promise<T> =>
    waitFor(what, async () => {
      platform.clock.advanceSeconds(0.05);
      return probe();
    });

  /** A person who has received money on the chain. */
  const funded = async (amount: bigint) => {
    const { token, wallet } = await registerPerson(platform.api);
    const account = await accountOf(platform.api, token);
    const txHash = await tokens.pay(eure, account.safeAddress, amount);
    await whilePassing(`the deposit ${txHash}`, async () => {
      const { data } = await platform.api.as(token).userMovements.listDeposits();
      return data.find((one) => one.txHash === txHash && one.status === 'approved');
    });
    return { token, wallet, owner: wallet.address as string, ...account };
  };

  /** Sets a Safe up. @returns its Delay module */
  const setUp = async (token: string, wallet: Parameters<typeof setUpAccount>[1]): Promise<Address> => {
    const api = platform.api.as(token);
    await setUpAccount(api, wallet);
    return whilePassing('the set-up of the Safe', async () => {
      const { deployment } = await api.userAccount.getAccount();
      return deployment?.status === 'verified' ? (deployment.delayModule as Address) : undefined;
    });
  };

  // First: the clock is days ahead afterwards.
  it('agrees in the daily report of network, ledger and chain, and names what the ledger has booked twice', async () => {
    const { token, wallet, id: accountId, safeAddress } = await funded(100n * UNIT);
    await setUp(token, wallet);
    const payment = network.payment(await createCard(platform.api, token));
    expect(await payment.authorize(3000)).toMatchObject({ approved: true });
    const { id: paymentId } = (await payment.clear(3000)) ?? expect.fail('no payment');
    const open = (audience: string, scopes: readonly string[]) =>
      openOperatorChannel(platform, { audience, baseUrl: platform.urls[`${audience.toUpperCase()}_URL`], scopes });
    const channels = [open('settlement', Object.values(SETTLEMENT_SCOPES)), open('ledger', Object.values(LEDGER_SCOPES))] as const;
    const [settlement, ledger] = [channels[0].client(SettlementService), channels[1].client(EntryService)];
    const kind = { case: 'clearing', value: { network: 'visa', amount: '3000', transactionId: payment.transactionId } } as const;
    await settlement.importRecords({ records: [{ source: 'operator', id: '1', date: today(), currency: 'EUR', kind }] });
    await whilePassing('the collection', async () => {
      const { balances } = await settlement.listBalances({});
      return balances.find(({ account }) => account === 'treasury')?.amount === '3000' ? true : undefined;
    });
    expect(await tokens.balanceOf(eure, safeAddress)).toBe(70n * UNIT);

    const environment = { ...platform.environment('settlement', 0), SETTLEMENT_KEY: newHeadKey() };
    /** Closes a day, and reports it with a proof of reserves of the next one. */
    const report = async () => {
      const day = today();
      platform.clock.advanceSeconds(DAY_SECONDS);
      await evm.mineAt(platform.clock.now());
      await settlement.closeDay({ day });
      const [proof, file] = [join(dataDir, `${day}.reserves`), join(dataDir, `${day}.report`)];
      const isOfToday = async () => ((await reservesText()).split('\n')[0]?.includes(`"${today()}`) ? true : undefined);
      await waitFor('a proof of the next day', isOfToday);
      expect(await run('chain', 'reserves', proof)).toMatchObject({ code: 0 });
      return waitFor('the report', async () => {
        const lines: string[] = [];
        const stream = { write: (text: string) => lines.push(...text.trim().split('\n')) };
        const args = ['report', day, file, '--reserves', proof, '--treasury', treasury];
        const code = await runCommandLine({ args, environment, now: platform.clock.now, out: stream, err: stream });
        return lines.some((line) => line.includes('is the service running')) ? undefined : { code, lines };
      });
    };
    const agreed = await report();
    expect(agreed.lines.at(-1)).toBe('The books agree.');
    // Nothing is left to be explained: the three say the same.
    expect(agreed.lines.join('\n')).not.toContain('Items that explain');

    const transfers = [{ debit: accountId, credit: `${accountId}/settling`, token: 'EURe', amount: `${5n * UNIT}` }];
    const metadata = { actor: 'test', reason: 'booked twice', externalReference: paymentId };
    await ledger.createEntries({ entries: [{ entryId: randomUUID(), transfers, forced: true, metadata }] });
    platform.clock.advanceSeconds((DAYS - 2) * DAY_SECONDS);
    const differing = await report();
    expect(differing).toMatchObject({ code: 1 });
    const difference = `["difference","item","${paymentId}/${accountId}","EUR","3500","3000",`;
    expect(differing.lines).toContainEqual(expect.stringContaining(difference));
    expect(differing.lines.at(-1)).toBe('Differences: 1.');
    await Promise.all(channels.map((channel) => channel.close()));
  });

  it('agrees through deposits and card payments, and names a balance that changed without an event', async () => {
    const { token } = await funded(100n * UNIT);
    const payment = network.payment(await createCard(platform.api, token));
    expect(await payment.authorize(4000)).toMatchObject({ approved: true });
    expect(await reconcile()).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^Accounts compared .*: 2\. Balances: all agree\.$/)],
    });
    await payment.clear(3000);
    expect(await reconcile()).toMatchObject({ code: 0 });

    const other = await funded(7n * UNIT);
    await tokens.setBalance(eure, other.safeAddress, 5n * UNIT);
    const number = await evm.blockNumber();
    await whilePassing('the cursor to reach the block', async () =>
      (await compared())?.blocks.some((block) => block.number === BigInt(number)) ? true : undefined,
    );
    const { code, lines } = await reconcile();
    expect(lines.at(-1)).toContain(`block ${number} `);
    expect(code).toBe(1);
    expect(lines).toHaveLength(3);
    const cells = lines[1]?.split(/ +/) ?? [];
    expect(cells.slice(0, 6)).toEqual([other.id, 'EURe', `${number}`, `${5n * UNIT}`, `${7n * UNIT}`, `${-2n * UNIT}`]);
    expect(lines[2]).toContain('Balances: 1 different.');

    const redis = await openRedis({ REDIS_URL: platform.databases.redisUrl }, quietLogger);
    try {
      const eventOf = (type: string) =>
        waitFor(`an event ${type}`, async () => {
          const messages = (await redis.xRange('florin:events:chain', '-', '+')) as { message: Record<string, string> }[];
          return messages.find(({ message }) => message['type'] === type && message['payload']?.includes(other.id))?.message['payload'];
        });
      expect(JSON.parse(await eventOf('balance.differed'))).toMatchObject({ token: 'EURe', unseen: `${-2n * UNIT}`, unbooked: '0' });
      await tokens.setBalance(eure, other.safeAddress, 7n * UNIT);
      await eventOf('balance.agreed');
    } finally {
      redis.destroy();
    }
    expect(await reconcile()).toMatchObject({ code: 0 });
  });

  it('publishes a proof of reserves, which anyone checks offline', async () => {
    const { token, safeAddress, owner } = await funded(20n * UNIT);
    await platform.api.as(token).sandbox.createWithdrawal({ token: 'EURe', amount: '7', outcome: 'hold' });
    const check = (...args: string[]) => execute(LEDGER_COMMANDS, ['check-reserves', '--token', `EURe=${eure}`, ...args]);
    // One was made at the start. The next one is due when its time is over.
    platform.clock.advanceSeconds(61);
    await whilePassing('a proof with the Safe', async () =>
      (await reservesText()).includes(safeAddress.toLowerCase()) ? true : undefined,
    );
    const file = join(dataDir, 'reserves.jsonl');
    expect(await run('chain', 'reserves', file)).toMatchObject({ code: 0 });
    const text = await readFile(file, 'utf8');
    const checked = await check(file);
    // All of it, to see what is missing if anything is.
    expect(checked).toMatchObject({ code: 0 });
    const { lines } = checked;
    expect(lines).toContainEqual(expect.stringMatching(/^ok +EURe: the Safes hold \d+, \d+ is owed, 0 is missing in Safes$/));
    for (const name of ['available', 'outgoing']) expect(lines.join('\n')).toContain(`        ${name} `);
    const heads = join(dataDir, 'heads.json');
    await writeFile(heads, JSON.stringify(await platform.api.as().ledger.listLedgerHeads()));
    expect(await check(file, '--heads', heads)).toMatchObject({ code: 0 });

    // The person's own line leads to the same head.
    const own = await checkReserves(platform.api.as(token), owner);
    const amounts = [{ token: 'EURe', amount: `${20n * UNIT}` }];
    expect(own).toMatchObject({ safeAddress, held: amounts, owed: amounts, missing: [] });
    expect(text).toContain(own.key);
    await expect(checkReserves(platform.api.as(token), `0x${'11'.repeat(20)}`)).rejects.toThrow(ReservesError);
    const lying = (change: object, ofAccount: object = {}): Parameters<typeof checkReserves>[0] => {
      const { userAccount, ledger } = platform.api.as(token);
      const getAccountReserves = async () => ({ ...(await userAccount.getAccountReserves()), ...change });
      const getAccount = async () => ({ ...(await userAccount.getAccount()), ...ofAccount });
      return { userAccount: { ...userAccount, getAccount, getAccountReserves } as typeof userAccount, ledger };
    };
    // A Safe of their wallet, and not the one in the head, with which others check the file.
    const { id } = await platform.api.as(token).userAccount.getAccount();
    const owners = [owner.toLowerCase(), `0x${'11'.repeat(20)}`] as const;
    const other = { safeAddress: predictSafeAddress(id, [getAddress(owners[0]), getAddress(owners[1])]) };
    await expect(checkReserves(lying({ ...other, owners }, other), owner)).rejects.toThrow('not in the signed head');
    for (const change of [{ owed: [{ token: 'EURe', amount: '1' }] }, { bucketPath: [] }, { accountId: randomUUID() }])
      await expect(checkReserves(lying(change), owner)).rejects.toThrow(ReservesError);

    const broken = join(dataDir, 'broken.jsonl');
    await writeFile(broken, text.replace(`"${20n * UNIT}"`, `"${21n * UNIT}"`));
    expect(await check(broken)).toMatchObject({ code: 1, lines: [expect.stringContaining('PROOF_INVALID')] });
    expect(await platform.api.request('GET', '/.well-known/proof-of-reserves?part=1000')).toMatchObject({
      status: 404,
      body: { error: 'RESERVES_NOT_FOUND' },
    });
    expect(await run('chain', 'reserves')).toMatchObject({ code: 2 });
  });

  it('collects what was paid in the block in which the owner asked to leave, before the owner can take it', async () => {
    const { token, wallet, owner, safeAddress } = await funded(100n * UNIT);
    const delayModule = await setUp(token, wallet);
    // It would pay nobody back.
    const body = { token: 'EURe', amount: '1', to: treasury };
    const toTreasury = await platform.api.request('POST', '/user/withdrawals/challenge', { token, body });
    expect(toTreasury).toMatchObject({ body: { error: { name: 'ValidationError' } } });
    const card = await createCard(platform.api, token);
    const before = await tokens.balanceOf(eure, treasury);
    const [cleared, held] = [network.payment(card), network.payment(card)];

    /** Asks to leave, and pays before anybody can see the request: it is in no block yet. */
    const askAndPay = async () => {
      await evm.rpc('evm_setAutomine', [false]);
      try {
        const take = await requestExit(evm, { owner, delayModule }, { token: eure, amount: 80n * UNIT });
        expect(await cleared.authorize(1000)).toMatchObject({ approved: true });
        expect(await held.authorize(4000)).toMatchObject({ approved: true });
        await cleared.clear(1000);
        await evm.mine();
        return take;
      } finally {
        // Other tests share the chain.
        await evm.rpc('evm_setAutomine', [true]);
      }
    };
    const take = await askAndPay();

    // Held money is collected as well.
    const holds = (safe: bigint, more: bigint) => async () =>
      (await tokens.balanceOf(eure, safeAddress)) === safe * UNIT && (await tokens.balanceOf(eure, treasury)) - before === more * UNIT
        ? true
        : undefined;
    await whilePassing('the collection', holds(50n, 50n));
    await whilePassing('the cards to stop', async () => ((await network.payment(card).authorize(10)).approved ? undefined : true));
    await expect(take()).rejects.toThrow();
    await untilAgreed('the books to agree');

    // The hold lapses: it is the owner's money again, which can leave.
    await held.reverse();
    await whilePassing('the return', holds(90n, 10n));
    await take(0);
    await whilePassing('the exit', async () => {
      const { data } = await platform.api.as(token).userMovements.listWithdrawals();
      return data.some(({ status, amount }) => status === 'completed' && amount === String(80n * UNIT)) ? true : undefined;
    });
    await untilAgreed('the books to agree');
  });

  it('goes on after a halt that an operator resolves, without the deposit that vanished', async () => {
    const { token, safeAddress } = await funded(3n * UNIT);
    const card = await createCard(platform.api, token);
    const snapshot = await evm.rpc<string>('evm_snapshot');
    const from = (await evm.blockNumber()) + 1;
    const txHash = await tokens.pay(eure, safeAddress, 4n * UNIT);
    const statusOf = async () => {
      const { data } = await platform.api.as(token).userMovements.listDeposits();
      return data.find((one) => one.txHash === txHash)?.status;
    };
    await whilePassing('the deposit', async () => ((await statusOf()) === 'approved' ? true : undefined));
    // Another branch, on which the payment never happened.
    await evm.rpc('evm_revert', [snapshot]);
    await evm.rpc('evm_increaseTime', [100]);
    await evm.mine();
    await evm.mine();

    const order = ['resolve', '--chain', String(CHAIN_ID), '--from-block', String(from), '--reason', 'The finalized branch was replaced.'];
    const dry = await whilePassing('the halt', async () => {
      const { watches } = await chain.client(WatchService).listChainWatches({});
      if (watches.every(({ state }) => state !== WatchState.HALTED)) return undefined;
      const result = await run('chain', ...order);
      return result.code === 0 ? result : undefined;
    });
    expect(dry.lines).toEqual([
      expect.stringMatching(`^Blocks up to ${from - 1} \\(0x[0-9a-f]{64}\\) of chain 100 stay booked\\.$`),
      'Recorded transfers after it: 0 on the chain again, which stay booked; 1 vanished:',
      expect.stringContaining(txHash),
      'Nothing was changed. Repeat with --yes to do it.',
    ]);
    expect(await statusOf()).toBe('approved');
    // Nothing of the chain is spent until somebody has decided.
    const hold = { token, body: { token: 'EURe', amount: '1', outcome: 'hold' } };
    await whilePassing('the spending to stop', async () => {
      const { body } = await platform.api.request('POST', '/sandbox/withdrawals', hold);
      return (body as { error?: string }).error === 'CHAIN_HALTED' ? true : undefined;
    });
    // On a slow machine a decision may come too late.
    const declined = await waitFor('a decision in time', async () => {
      const decision = await network.payment(card).authorize(10);
      return decision.declineReason?.code === 'timed_out' ? undefined : decision;
    });
    expect(declined).toMatchObject({ approved: false, declineReason: { code: 'payments_halted' } });
    const done = await run('chain', ...order, '--yes');
    expect([done.code, done.lines.at(-1)]).toEqual([0, `Done. Chain 100 is watched again from block ${from}.`]);
    expect(await statusOf()).toBe('rejected');
    expect(await run('chain', ...order, '--yes')).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('chain rejected the request')],
    });
    expect(await run('chain', 'resolve')).toMatchObject({ code: 2 });
    await untilAgreed('the watching to go on');
    // The ledger learns from the chain's events that it may go on.
    const spent = await whilePassing('the spending to go on', async () => {
      const answer = await platform.api.request('POST', '/sandbox/withdrawals', hold);
      return (answer.body as { error?: string }).error === 'CHAIN_HALTED' ? undefined : answer;
    });
    expect(spent).toMatchObject({ status: 200 });
  });
});
