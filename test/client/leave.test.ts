import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { moveEverything, nextLeaveStep, planOf, type SafePlan } from '@florin/client/viem';
import { deployToken, describeOnEvm, type Evm, installCollector, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import {
  COLLECTOR,
  COLLECTOR_ABI,
  type CollectionTerms,
  DELAY_1_0_1,
  encodeDelayDeployment,
  encodeExecution,
  encodeMovements,
  encodeSafeDeployment,
  joinOwnerSignatures,
  type OwnerSignature,
  predictDelayModule,
  predictSafeAddress,
  type SafeTransaction,
  safeMessageTypedData,
  safeTransactionData,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { type Address, encodeFunctionData, type Hex, parseAbi, parseTransaction } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/settings.ts';

const CHAIN_ID = 100;
const DELAY = { mastercopy: DELAY_1_0_1, cooldownSeconds: 90_000, expirationSeconds: 111_600 };
const RICH = '0xde0b6b3a7640000';
const newKey = () => privateKeyToAccount(generatePrivateKey());
type Key = ReturnType<typeof newKey>;

describeOnEvm('leaving without the platform', { timeout: 120_000 }, () => {
  let evm: Evm;
  let tokens: readonly [TestToken, TestToken];
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    tokens = [await deployToken(evm), await deployToken(evm)];
  }, 120_000);
  afterAll(() => evm?.close());

  const node = { request: ({ method, params }: { method: string; params: unknown[] }) => evm.rpc(method, params) };

  type Platform = { address: Address; sign: (transaction: SafeTransaction) => Promise<OwnerSignature> };
  const byKey = (key: Key): Platform => ({
    address: key.address,
    sign: async (transaction) => ({ owner: key.address, signature: await key.signTypedData(safeTypedData(transaction)) }),
  });
  const bySafe = async (): Promise<Platform> => {
    const key = newKey();
    const safe = await evm.deploySafe([key.address]);
    const sign = async (transaction: SafeTransaction) => {
      const message = { chainId: CHAIN_ID, safe, message: safeTransactionData(transaction) };
      return { owner: safe, signature: await key.signTypedData(safeMessageTypedData(message)), isContract: true };
    };
    return { address: safe, sign };
  };

  /** A person who holds money and kept the plan, and a platform that is never heard of again. */
  const newPerson = async (platform: Platform, isShared = true, terms?: CollectionTerms) => {
    const key = generatePrivateKey();
    const owner = privateKeyToAccount(key);
    const accountId = crypto.randomUUID();
    const safe = predictSafeAddress(accountId, isShared ? [owner.address, platform.address] : [owner.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: owner.address, platform: platform.address };
    const setUp = setUpTransaction(parties, terms === undefined ? DELAY : { ...DELAY, terms }, 0n);
    const byPlatform = await platform.sign(setUp);
    const deployment = {
      platformOwner: platform.address,
      cooldownSeconds: DELAY.cooldownSeconds,
      expirationSeconds: DELAY.expirationSeconds,
      ...(terms === undefined ? {} : { collection: terms }),
      ...(isShared ? { setUpSignature: joinOwnerSignatures([byPlatform]).toLowerCase() } : {}),
    };
    const account = { id: accountId, safeAddress: safe, chain: { id: String(CHAIN_ID), name: 'Gnosis' }, deployment };
    const plan = await planOf(account as never, owner.address, { node });
    expect(plan.module).toBe(predictDelayModule(safe, DELAY).toLowerCase());
    for (const token of tokens) await token.pay(safe, 700n);
    await evm.rpc('hardhat_setBalance', [safe, RICH]);
    await evm.rpc('hardhat_setBalance', [owner.address, RICH]);
    await evm.rpc('hardhat_impersonateAccount', [owner.address]);
    /** Does the platform's part while it is there. */
    const setUpByPlatform = async () => {
      for (const { to, data } of [encodeSafeDeployment(parties), encodeDelayDeployment(safe, DELAY)]) await evm.send(to, data);
      const own = { owner: owner.address, signature: await owner.signTypedData(safeTypedData(setUp)) };
      const call = encodeExecution(setUp, joinOwnerSignatures(isShared ? [own, byPlatform] : [own]));
      await evm.send(call.to, call.data);
    };
    return { key, owner, plan: JSON.parse(JSON.stringify(plan)) as SafePlan, safe, setUpByPlatform };
  };

  const send = (transaction: { from: string; to: string; data: string }) =>
    evm.rpc('eth_sendTransaction', [{ ...transaction, gas: '0x4c4b40' }]);

  /** Does what comes next until the Safe is the person's. @returns the steps */
  const leave = async (plan: SafePlan): Promise<string[]> => {
    const steps: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      const next = await nextLeaveStep(node, plan);
      steps.push(next.step);
      if (next.step === 'free') return steps;
      if (next.step === 'wait') {
        await evm.rpc('evm_setNextBlockTimestamp', [Math.ceil(next.until.getTime() / 1000) + 1]);
        await evm.mine();
      } else await send(next.transaction);
    }
    return steps;
  };

  const expectAllMoved = async (plan: SafePlan, safe: Address) => {
    const to = newKey().address;
    const everything = { tokens: tokens.map(({ address }) => address), to };
    const { transaction } = await moveEverything(node, plan, everything);
    await send(transaction ?? expect.fail('there is something to move'));
    for (const token of tokens) {
      expect(await token.balanceOf(to)).toBe(700n);
      expect(await token.balanceOf(safe)).toBe(0n);
    }
    expect(await evm.rpc('eth_getBalance', [to, 'latest'])).toBe(RICH);
    expect(await moveEverything(node, plan, everything)).toEqual({ transaction: undefined, left: [] });
  };

  it.each([
    ['a key', async () => byKey(newKey()), false, ['deploy_safe', 'deploy_module', 'set_up', 'request', 'wait', 'execute', 'free']],
    ['a Safe', bySafe, false, ['deploy_safe', 'deploy_module', 'set_up', 'request', 'wait', 'execute', 'free']],
    ['a key that has set the Safe up', async () => byKey(newKey()), true, ['request', 'wait', 'execute', 'free']],
  ] as const)(
    'takes everything out of a Safe shared with %s, with the plan, the wallet and a node',
    async (_name, platform, isSetUp, steps) => {
      const { plan, safe, setUpByPlatform } = await newPerson(await platform());
      if (isSetUp) await setUpByPlatform();
      expect(await leave(plan)).toEqual(steps);
      await expectAllMoved(plan, safe);
    },
  );

  it('lets the platform collect nothing any more once the Safe is the person’s', async () => {
    await installCollector(evm);
    const [treasury] = await evm.rpc<Address[]>('eth_accounts');
    const terms = { treasury: treasury as Address, limits: [{ token: tokens[0].address, perDay: '10000' }] };
    const { plan, safe, setUpByPlatform } = await newPerson(byKey(newKey()), true, terms);
    await setUpByPlatform();
    const enable = encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'setOperator', args: [terms.treasury, true] });
    await evm.send(COLLECTOR.address, enable);
    const collect = async (nonce: number) => {
      const { to, data } = encodeMovements(terms.treasury, [{ account: safe, token: tokens[0].address, amount: 100n, nonce, back: false }]);
      await evm.send(to, data);
      return tokens[0].balanceOf(safe);
    };
    expect(await collect(0)).toBe(600n);
    await leave(plan);
    expect(await collect(1)).toBe(600n);
  });

  it('takes everything out of a Safe that was the wallet’s alone, before its set-up and after', async () => {
    const before = await newPerson(byKey(newKey()), false);
    expect(await leave(before.plan)).toEqual(['deploy_safe', 'free']);
    await expectAllMoved(before.plan, before.safe);
    const after = await newPerson(byKey(newKey()), false);
    await after.setUpByPlatform();
    expect(await leave(after.plan)).toEqual(['request', 'wait', 'execute', 'free']);
    await expectAllMoved(after.plan, after.safe);
  });

  it('requests again what has expired, and waits for an earlier request', async () => {
    const { plan, safe, setUpByPlatform, owner } = await newPerson(byKey(newKey()));
    await setUpByPlatform();
    const abi = parseAbi(['function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)']);
    // It fails as long as there is less than that.
    const tooMuch = tokens[0].transfer(owner.address, 10_000n);
    const data: Hex = encodeFunctionData({ abi, functionName: 'execTransactionFromModule', args: [tokens[0].address, 0n, tooMuch, 0] });
    await send({ from: plan.owner, to: plan.module, data });
    await evm.rpc('evm_increaseTime', [DELAY.cooldownSeconds + 10]);
    expect(await leave(plan)).toEqual(['request', 'wait', 'skip_expired', 'execute', 'free']);
    await expectAllMoved(plan, safe);
  });

  it('is a command: from the file, the key and a node, and again after the waiting time', async () => {
    const { plan, safe, key } = await newPerson(byKey(newKey()));
    const directory = await mkdtemp(join(tmpdir(), 'florin-leave-'));
    try {
      const [file, keyFile, to] = [join(directory, 'leave.json'), join(directory, 'key'), newKey().address];
      const [eure, other] = tokens.map(({ address }) => address);
      await writeFile(file, JSON.stringify({ plan, tokens: [{ token: 'EURe', contract: eure }] }));
      const command = [join(ROOT, 'gateway/client/offline/leave.ts'), file, '--node', evm.url];
      const run = async (...args: readonly string[]) => (await promisify(execFile)(process.execPath, [...command, ...args])).stdout;

      expect(await run()).toContain(`"from": "${plan.owner}"`);
      await writeFile(keyFile, generatePrivateKey());
      await expect(run('--key', keyFile)).rejects.toThrow(`The account belongs to ${plan.owner}`);
      await writeFile(keyFile, `${key}\n`);
      const begun = await run('--key', keyFile);
      expect(begun.match(/Sent: 0x/g)).toHaveLength(4);
      const until = begun.match(/come back after (\S+)\.$/m)?.[1] ?? expect.fail(begun);
      await evm.rpc('evm_setNextBlockTimestamp', [Math.ceil(Date.parse(until) / 1000) + 1]);
      await evm.mine();
      expect(await run('--key', keyFile)).toContain('--to ADDRESS');
      await expect(run('--key', keyFile, '--to', '0x1')).rejects.toThrow('40 hex digits');
      expect(await run('--key', keyFile, '--to', to, '--token', other as string)).toContain(`Everything was moved to ${to}.`);
      for (const token of tokens) expect(await token.balanceOf(to)).toBe(700n);
      expect(await evm.rpc('eth_getBalance', [safe, 'latest'])).toBe('0x0');
      expect(await run('--key', keyFile, '--to', to)).toContain('holds nothing more');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('leaves what cannot move, and moves the rest', async () => {
    const { plan, safe } = await newPerson(byKey(newKey()), false);
    await leave(plan);
    // One says that it holds something, and reverts its transfer. The other one is no contract.
    const [broken, nothing] = [newKey().address, newKey().address];
    await evm.setCode(broken, '0x5f3560e01c63a9059cbb14601857600160005260206000f35b5f5ffd');
    const [first, second] = tokens.map(({ address }) => address) as [Address, Address];
    const to = newKey().address;
    const { transaction, left } = await moveEverything(node, plan, { tokens: [broken, first, nothing, first, second], to });
    expect(left).toEqual([broken.toLowerCase(), nothing.toLowerCase()]);
    await send(transaction ?? expect.fail('there is something to move'));
    for (const token of tokens) expect([await token.balanceOf(to), await token.balanceOf(safe)]).toEqual([700n, 0n]);
    expect(await evm.rpc('eth_getBalance', [to, 'latest'])).toBe(RICH);
    const rest = await moveEverything(node, plan, { tokens: [broken], to });
    expect(rest).toEqual({ transaction: undefined, left: [broken.toLowerCase()] });
  });

  /** A node that changes some answers of the chain's. @param lies the answer, by method; undefined: the true one */
  const startLiar = async (lies: Record<string, () => string | undefined>) => {
    const sent: Hex[] = [];
    const server = createServer(async (request, response) => {
      const asked = JSON.parse(await text(request)) as { id: number; method: string; params: unknown[] };
      if (asked.method === 'eth_sendRawTransaction') sent.push(asked.params[0] as Hex);
      const lie = lies[asked.method]?.();
      const told = await fetch(evm.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) });
      const body = lie === undefined ? await told.text() : JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: lie });
      response.setHeader('content-type', 'application/json').end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, sent, close: () => void server.close() };
  };

  it('signs for the account’s chain alone, for a bounded fee, and no step twice, whatever the node says', async () => {
    const { plan, key } = await newPerson(byKey(newKey()), false);
    const directory = await mkdtemp(join(tmpdir(), 'florin-leave-'));
    const [file, keyFile] = [join(directory, 'leave.json'), join(directory, 'key')];
    await writeFile(file, JSON.stringify({ plan, tokens: [] }));
    await writeFile(keyFile, key);
    const run = async (url: string, ...args: readonly string[]) => {
      const command = [join(ROOT, 'gateway/client/offline/leave.ts'), file, '--node', url, '--key', keyFile, ...args];
      return promisify(execFile)(process.execPath, command).then(
        ({ stdout }) => ({ stdout, stderr: '' }),
        ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }),
      );
    };
    const greedy = await startLiar({ eth_maxPriorityFeePerGas: () => '0x38d7ea4c68000' });
    const forgetful = await startLiar({ eth_getCode: () => '0x' });
    try {
      const refused = await run(greedy.url);
      expect(refused.stdout).toContain(`Transaction on chain ${CHAIN_ID} to 0x`);
      expect(refused.stderr).toContain('The node asks for more than 0.05: nothing was sent.');
      expect(greedy.sent).toEqual([]);
      const stopped = await run(forgetful.url);
      expect(stopped.stderr).toContain('a step that was taken');
      expect(forgetful.sent.map((one) => parseTransaction(one).chainId)).toEqual([CHAIN_ID]);
      expect((await run(evm.url, '--key', key)).stderr).toBe('--key names a file that cannot be read.\n');
      for (const url of [key, 'http://node.example', 'http://127.0.0.1.node.example', 'http://localhost:1@node.example', 'ftp://127.0.0.1'])
        expect((await run(url)).stderr).toContain('--node takes a URL');
    } finally {
      greedy.close();
      forgetful.close();
      await rm(directory, { recursive: true });
    }
  });

  it('does nothing on another chain', async () => {
    const { plan } = await newPerson(byKey(newKey()));
    await expect(nextLeaveStep(node, { ...plan, chainId: 1 })).rejects.toThrow('the node serves chain 100');
  });
});
