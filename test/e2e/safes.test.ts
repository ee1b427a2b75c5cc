import { randomUUID } from 'node:crypto';
import type { Client } from '@connectrpc/connect';
import { leaveFileOf, nextLeaveStep, UnexpectedTextError } from '@florin/client/viem';
import { openStore } from '@florin/data/store';
import { deployToken, describeOnEvm, type Evm, installModules, startEvm, type TestToken } from '@florin/evm/local-chain';
import { COLLECTOR, predictSafeAddress } from '@florin/evm/safe';
import { RecoveryService } from '@florin/proto/chain/v1/recovery_service';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionKind, ExceptionStatus } from '@florin/proto/chain/v1/watch';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { waitFor as waitUntil } from '@florin/rpc/testing/wait-for';
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, keccak256, maxUint256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBackOffice } from '../support/back-office.ts';
import { connectCardNetwork } from '../support/card-network.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { replaceAccount } from '../support/replace-account.ts';
import { replaceWallet } from '../support/replace-wallet.ts';
import { requestExit } from '../support/request-exit.ts';
import { createCard, newPhone, newWallet, type Person, raiseChallenge, registerPerson, signIn, type Wallet } from '../support/story.ts';

const CHAIN_ID = 100;

/** Slot of a Safe's guard. */
const GUARD_SLOT = keccak256(toHex('guard_manager.guard.address'));

/** Each step takes several rounds of polling, and every service shares the machine. */
const WAIT_MS = 90_000;
/** Above any load of a test machine, and not above what a service takes. */
const RPC_MS = 30_000;

type Deployment = {
  status: string;
  findings: string[];
  delayModule: Address;
  platformOwner: Address;
  setUpSignature?: Hex;
  backup?: { key: Address };
};
type Account = { id: string; safeAddress: Address; status: string; deployment?: Deployment };
type SafeTypedData = {
  domain: { chainId: number; verifyingContract: Address };
  primaryType: 'SafeTx';
  types: { SafeTx: { name: string; type: string }[] };
  message: Record<string, string | number>;
};
type Challenge = { withdrawalId: string; typedData: SafeTypedData };
type Stored = { _id: string } & Record<string, unknown>;
type Withdrawal = { id: string; status: string; amount: string; txHash?: string };

describeOnEvm('Safes on a chain', { timeout: 300_000 }, () => {
  let evm: Evm;
  let eure: TestToken;
  let platform: PlatformInProcess;
  const cosignerKey = generatePrivateKey();
  /** Waits while time passes about as fast as it does: an inspection that fails is repeated after a minute. */
  const waitFor = <T>(what: string, probe: () => Promise<T | undefined>): Promise<T> =>
    waitUntil(
      what,
      async () => {
        platform.clock.advanceSeconds(0.05);
        return probe();
      },
      WAIT_MS,
    );

  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
    eure = await deployToken(evm);
    const relayerKey = generatePrivateKey();
    await evm.rpc('hardhat_setBalance', [privateKeyToAddress(relayerKey), '0x56bc75e2d63100000']);
    platform = await startPlatformInProcess(
      // One currency unit is 100 of the token's: a Safe that holds 1000 can pay 10 euros.
      {
        ...onChainEure({ address: eure.address, decimals: 2 }),
        ACCOUNTS_NEED_SAFE: 'true',
        SAFE_PLATFORM_OWNER: privateKeyToAddress(cosignerKey),
      },
      {
        chain: {
          CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
          CHAIN_POLL_MS: '200',
          CHAIN_RELAYER_KEY: relayerKey,
          CHAIN_COSIGNER_KEYS: `${cosignerKey},${generatePrivateKey()}`,
          SAFE_INSPECTION_SECONDS: '3600',
          WITHDRAWAL_LIMITS: JSON.stringify({ EURe: '900' }),
          WITHDRAWALS_FREEZE_FROM: JSON.stringify({ EURe: '10' }),
        },
      },
    );
  }, 120_000);
  afterAll(async () => {
    await platform?.close();
    await evm?.close();
  });

  const post = <T>(person: Person, path: string, body: object = {}): Promise<T> =>
    platform.api.call<T>('POST', path, { token: person.token, body });
  const codeOf = async (person: Person, path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error?: unknown };
    return error;
  };
  const accountOf = (person: Person): Promise<Account> => platform.api.call<Account>('GET', '/user/account', { token: person.token });
  const sign = (wallet: Wallet, data: SafeTypedData): Promise<Hex> => wallet.signTypedData(data);
  const withdrawalsOf = async (person: Person) => (await platform.api.as(person.token).userMovements.listWithdrawals()).data;
  const spendable = async (person: Person): Promise<string | undefined> => {
    const { data } = await platform.api.as(person.token).userAccount.getBalances();
    return data.find(({ currency }) => currency === 'EUR')?.spendable;
  };

  const maxInstantWithdraw = async (person: Person): Promise<string | undefined> => {
    const { data } = await platform.api.as(person.token).userAccount.getBalances();
    return data.flatMap(({ tokens }) => tokens).find(({ token }) => token === 'EURe')?.maxInstantWithdraw;
  };

  /** Works with the ledger's accounts as an operator. */
  const withAccounts = async (work: (accounts: Client<typeof AccountService>) => Promise<void>): Promise<void> => {
    const key = serviceKeySchema.parse(platform.operatorKey);
    const serviceToken = createServiceTokenSource({ key, audience: 'ledger', scopes: [LEDGER_SCOPES.writeAccounts] });
    const channel = createRpcChannel({ baseUrl: platform.services.ledger.url, serviceToken, timeoutMs: RPC_MS });
    try {
      await work(channel.client(AccountService));
    } finally {
      await channel.close();
    }
  };

  /** A person whose account was opened before Safes were shared from birth. */
  const registerFormerly = async (): Promise<Person> => {
    const person = await registerPerson(platform.api, newWallet());
    const { id } = await accountOf(person);
    const safeAddress = predictSafeAddress(id, [person.wallet.address]);
    const { mongodbUri: uri, names } = platform.databases;
    const store = await openStore({ uri, database: names[0]?.replace(/_[a-z]+$/, '_ledger') ?? '', poolSize: 1, logger: quietLogger });
    await store.connection.collection<{ _id: string }>('accounts').updateOne({ _id: id }, { $set: { safeAddress } });
    await store.close();
    return person;
  };

  /** Has a person sign the set-up of the account's Safe. @returns the account once it is verified */
  const setUp = async (person: Person): Promise<Account> => {
    const signature = await sign(person.wallet, await post<SafeTypedData>(person, '/user/account/set-up/challenge'));
    // A repeat is harmless: on a slow machine a response may be late.
    await waitFor('the set-up to be taken', async () =>
      (await codeOf(person, '/user/account/set-up', { signature })) === undefined ? true : undefined,
    );
    // The ledger is told first, and the account is active a moment before its Safe is recorded as verified.
    return waitFor('the Safe to be verified', async () => {
      const found = await accountOf(person);
      return found.status === 'active' && found.deployment?.status === 'verified' ? found : undefined;
    });
  };

  /** A person whose Safe is verified and holds money. */
  const settle = async (amount: bigint): Promise<Person & { account: Account }> => {
    const person = await registerPerson(platform.api, newWallet());
    const { safeAddress } = await accountOf(person);
    await eure.pay(safeAddress, amount);
    const account = await setUp(person);
    await waitFor('the deposit', async () => ((await spendable(person)) === String(amount) ? true : undefined));
    return { ...person, account };
  };
  const request = async (person: Person, to: Address, amount: bigint) => {
    const { withdrawalId, typedData } = await post<Challenge>(person, '/user/withdrawals/challenge', {
      token: 'EURe',
      amount: String(amount),
      to,
    });
    return { withdrawalId, signature: await sign(person.wallet, typedData) };
  };
  const submitted = async (person: Person, to: Address, amount: bigint) => {
    const submission = await request(person, to, amount);
    await post(person, '/user/withdrawals', submission);
    return submission;
  };
  /** Works with what the chain service stores, as somebody who can write the database. */
  const withStored = async <T>(work: (connection: Awaited<ReturnType<typeof openStore>>['connection']) => Promise<T>): Promise<T> => {
    const { mongodbUri: uri, names } = platform.databases;
    const database = names[0]?.replace(/_[a-z]+$/, '_chain') ?? '';
    const store = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
    try {
      return await work(store.connection);
    } finally {
      await store.close();
    }
  };
  /** Changes a stored withdrawal. @returns undoes it */
  const changeWithdrawal = async (id: string, change: Record<string, unknown>) => {
    const write = async (set: Record<string, unknown>) =>
      (await withStored((db) => db.collection<Stored>('safe_withdrawals').findOneAndUpdate({ _id: id }, { $set: set }))) ?? {};
    const before = await write(change);
    return () => write(Object.fromEntries(Object.keys(change).map((field) => [field, (before as Record<string, unknown>)[field]])));
  };
  const untilEnded = (person: Person, id: string): Promise<Withdrawal> =>
    waitFor('the withdrawal to end', async () =>
      (await withdrawalsOf(person)).find((one) => one.id === id && ['completed', 'failed'].includes(one.status)),
    );

  it('gives no card to an account before its Safe is set up and verified', async () => {
    const person = await registerPerson(platform.api, newWallet());
    expect(await accountOf(person)).toMatchObject({ status: 'provisioning', deployment: { status: 'predicted' } });
    expect(await codeOf(person, '/cards/virtual', { cardName: 'Early', phone: newPhone() })).toBe('ACCOUNT_NOT_ACTIVE');
    const typedData = await post<SafeTypedData>(person, '/user/account/set-up/challenge');
    const signature = await sign(newWallet(), typedData);
    expect(await codeOf(person, '/user/account/set-up', { signature })).toBe('INVALID_SIGNATURE');

    await post(person, '/user/account/set-up', { signature: await sign(person.wallet, typedData) });
    const { deployment } = await waitFor('the account to be active', async () => {
      const found = await accountOf(person);
      return found.status === 'active' ? found : undefined;
    });
    expect(deployment?.findings).toEqual([]);
    await waitFor('the deployment to be verified', async () =>
      (await accountOf(person)).deployment?.status === 'verified' ? true : undefined,
    );
    expect(await codeOf(person, '/user/account/set-up/challenge', {})).toBe('SET_UP_NOT_AVAILABLE');
    await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
  });

  it('pays for no set-up of an account that is not approved any more, or is closed', async () => {
    await withAccounts(async (accounts) => {
      const person = await registerPerson(platform.api, newWallet());
      const { id: accountId } = await accountOf(person);
      const signature = await sign(person.wallet, await post<SafeTypedData>(person, '/user/account/set-up/challenge'));
      const refusals = async (who: Person) => [
        await codeOf(who, '/user/account/set-up/challenge', {}),
        await codeOf(who, '/user/account/set-up', { signature }),
      ];
      // An account that waits for its Safe cannot be blocked, but loses its approval.
      await expect(accounts.blockAccount({ accountId })).rejects.toMatchObject({ code: 'ACCOUNT_STATE_CONFLICT' });
      expect(await refusals(person)).toEqual(['SET_UP_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE']);
      expect(await accountOf(person)).toMatchObject({ status: 'provisioning', deployment: { status: 'predicted' } });
      await accounts.activateAccount({ accountId });
      await post(person, '/user/account/set-up', { signature });
      await waitFor('the account to be active', async () => ((await accountOf(person)).status === 'active' ? true : undefined));

      const former = await registerPerson(platform.api, newWallet());
      await accounts.closeAccount({ accountId: (await accountOf(former)).id });
      expect(await refusals(former)).toEqual(['SET_UP_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE']);
    });
  });

  it('gives no card to an owner who deploys the Safe alone, and sets that Safe up later if nothing was done with it', async () => {
    const person = await registerFormerly();
    const { id, safeAddress, deployment } = await accountOf(person);
    expect(deployment?.setUpSignature).toBeUndefined();
    expect(await evm.deploySafe([person.wallet.address], 1, BigInt(`0x${id.replaceAll('-', '')}`))).toBe(safeAddress);
    await eure.pay(safeAddress, 100n);
    await waitFor('the deposit', async () => ((await spendable(person)) === '100' ? true : undefined));
    expect(await codeOf(person, '/cards/virtual', { cardName: 'Early', phone: newPhone() })).toBe('ACCOUNT_NOT_ACTIVE');
    // Nor could any card of another program spend it: the ledger holds nothing for payments.
    expect(await codeOf(person, '/sandbox/withdrawals', { token: 'EURe', amount: '1', outcome: 'hold' })).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await maxInstantWithdraw(person)).toBe('0');
    const signature = await sign(person.wallet, await post<SafeTypedData>(person, '/user/account/set-up/challenge'));
    await post(person, '/user/account/set-up', { signature });
    await waitFor('the account to be active', async () => ((await accountOf(person)).status === 'active' ? true : undefined));
    await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
  });

  it('sets up no Safe that its owner has used alone, and gives its account no card', async () => {
    const person = await registerFormerly();
    const { id, safeAddress } = await accountOf(person);
    const typedData = await post<SafeTypedData>(person, '/user/account/set-up/challenge');
    await evm.deploySafe([person.wallet.address], 1, BigInt(`0x${id.replaceAll('-', '')}`));
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [newWallet().address, maxUint256] });
    await evm.executeFromSafe(safeAddress, person.wallet, { to: eure.address, data });
    expect(await codeOf(person, '/user/account/set-up/challenge', {})).toBe('SET_UP_NOT_AVAILABLE');
    const signature = await sign(person.wallet, typedData);
    expect(await codeOf(person, '/user/account/set-up', { signature })).toBe('SET_UP_NOT_AVAILABLE');
    expect(await accountOf(person)).toMatchObject({ status: 'provisioning', deployment: { status: 'predicted' } });
    expect(await codeOf(person, '/cards/virtual', { cardName: 'Early', phone: newPhone() })).toBe('ACCOUNT_NOT_ACTIVE');
  });

  it("takes the user's signature alone for a card payment, and never the platform's, although the Safe needs both", async () => {
    const person = await settle(300n);
    const card = await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
    const challengeId = await raiseChallenge(platform.api, person.token, card);
    const path = `/3ds/challenges/${challengeId}`;
    const typedData = await post<Parameters<Wallet['signTypedData']>[0]>(person, `${path}/decision-challenge`, { decision: 'approve' });
    const byPlatform = await privateKeyToAccount(cosignerKey).signTypedData(typedData);
    expect(await codeOf(person, `${path}/decision`, { decision: 'approve', signature: byPlatform })).toBe('INVALID_SIGNATURE');
    const signature = await person.wallet.signTypedData(typedData);
    const decided = await post<{ challenge: { status: string } }>(person, `${path}/decision`, { decision: 'approve', signature });
    expect(decided.challenge.status).toBe('approved');
  });

  it('blocks the account of a verified Safe that is found to be another one without any event', async () => {
    const person = await settle(200n);
    const { safeAddress } = await accountOf(person);
    // The threshold of a Safe is in its fifth slot: as if the code had let somebody change it silently.
    await evm.rpc('hardhat_setStorageAt', [safeAddress, '0x4', `0x${'1'.padStart(64, '0')}`]);
    await evm.mine();
    platform.clock.advanceSeconds(3601);
    const renewed = await signIn(platform.api, person.wallet);
    const again = { ...person, token: renewed.accessToken };
    const { deployment } = await waitFor('the account to be blocked', async () => {
      const found = await accountOf(again);
      return found.status === 'blocked' && found.deployment?.status === 'deviating' ? found : undefined;
    });
    expect(deployment?.findings).toEqual(['threshold_differs']);
  });

  it('carries out a withdrawal that the user signs, once', async () => {
    const person = await settle(1000n);
    const to = newWallet().address;
    const submission = await request(person, to, 400n);
    expect(await spendable(person)).toBe('1000');
    const forged = { ...submission, signature: await newWallet().signMessage({ message: 'x' }) };
    expect(await codeOf(person, '/user/withdrawals', forged)).toBe('INVALID_SIGNATURE');
    for (const change of [{ amount: '1' }, { recipient: newWallet().address }]) {
      const restore = await changeWithdrawal(submission.withdrawalId, change);
      expect(await codeOf(person, '/user/withdrawals', submission)).toBe('INVALID_SIGNATURE');
      await restore();
    }

    const submitted = await Promise.all([1, 2, 3].map(() => post<{ status: string }>(person, '/user/withdrawals', submission)));
    for (const { status } of submitted) expect(['processing', 'completed']).toContain(status);
    const ended = await untilEnded(person, submission.withdrawalId);
    expect(ended).toMatchObject({ status: 'completed', amount: '400' });
    expect(ended.txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await eure.balanceOf(to)).toBe(400n);
    expect(await spendable(person)).toBe('600');
    expect(await post(person, '/user/withdrawals', submission)).toMatchObject({ status: 'completed' });
    // Its own withdrawal is no reason to block an account.
    expect((await accountOf(person)).status).toBe('active');
    expect(await withdrawalsOf(person)).toHaveLength(1);

    expect(await codeOf(person, '/user/withdrawals/challenge', { token: 'EURe', amount: '501', to })).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
    // 900 a day, of which 400 are used.
    expect(await maxInstantWithdraw(person)).toBe('500');
    expect(await codeOf(person, '/user/withdrawals/challenge', { token: 'USDC.e', amount: '1', to })).toBe('TOKEN_NOT_SUPPORTED');
    const own = person.account.safeAddress;
    expect(await codeOf(person, '/user/withdrawals/challenge', { token: 'EURe', amount: '1', to: own })).toMatchObject({
      name: 'ValidationError',
    });
    for (const dead of [eure.address, person.account.deployment?.delayModule]) {
      const refused = await codeOf(person, '/user/withdrawals/challenge', { token: 'EURe', amount: '1', to: dead });
      expect(refused).toMatchObject({ name: 'ValidationError' });
    }
    const stranger = await registerPerson(platform.api, newWallet());
    expect(await codeOf(stranger, '/user/withdrawals', submission)).toBe('WITHDRAWAL_NOT_FOUND');

    // Screening rejects this address: the platform does not sign.
    const bad: Address = getAddress(`0x${'1'.repeat(32)}00000bad`);
    expect(await codeOf(person, '/user/withdrawals', await request(person, bad, 100n))).toBe('RECIPIENT_REJECTED');
    await waitFor('the money to be back', async () => ((await spendable(person)) === '600' ? true : undefined));
    expect(await eure.balanceOf(bad)).toBe(0n);
    const [deposit] = (await platform.api.as(person.token).userMovements.listDeposits()).data;
    expect(deposit?.from).toMatch(/^0x[0-9a-fA-F]{40}$/);
  });

  it('stops withdrawals for a rejected deposit until it is back with its sender, and for dust does not', async () => {
    const person = await settle(700n);
    const to = newWallet().address;
    // Screening rejects this address.
    const from: Address = getAddress(`0x${'2'.repeat(32)}00000bad`);
    await eure.pay(from, 50n);
    await evm.rpc('hardhat_setBalance', [from, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [from]);
    const payIn = async (amount: bigint) => {
      const data = eure.transfer(person.account.safeAddress, amount);
      await evm.rpc('eth_sendTransaction', [{ from, to: eure.address, data }]);
      await waitFor('the deposit to be rejected', async () => {
        const { data: deposits } = await platform.api.as(person.token).userMovements.listDeposits();
        return deposits.some((one) => one.amount === String(amount) && one.status === 'rejected') || undefined;
      });
    };
    await payIn(9n);
    expect(await untilEnded(person, (await submitted(person, to, 100n)).withdrawalId)).toMatchObject({ status: 'completed' });
    await payIn(40n);
    const isStopped = async () => codeOf(person, '/user/withdrawals', await request(person, to, 100n));
    expect(await isStopped()).toBe('WITHDRAWALS_FROZEN');
    await waitFor('the money to be back', async () => ((await spendable(person)) === '600' ? true : undefined));

    const scopes = [CHAIN_SCOPES.readExceptions, CHAIN_SCOPES.writeExceptions];
    const chain = openOperatorChannel(platform, { audience: 'chain', baseUrl: platform.chainUrl, scopes });
    const watching = chain.client(WatchService);
    const { exceptions } = await watching.listExceptions({ status: ExceptionStatus.OPEN });
    const rejected = exceptions.filter(({ accountId }) => accountId === person.account.id);
    expect(rejected).toMatchObject([{ kind: ExceptionKind.REJECTED, amount: '40' }]);
    await watching.returnDeposit({ exceptionId: rejected[0]?.id ?? '', actor: 'ops', note: 'sanctioned' });
    await chain.close();
    expect(await isStopped()).toBe('WITHDRAWALS_FROZEN');

    const returns = () => platform.api.as(person.token).userMovements.listReturns();
    const { data } = await returns();
    expect(data).toMatchObject([{ amount: '40', to: from }]);
    const { withdrawalId, typedData } = await post<Challenge>(person, `/user/returns/${data[0]?.id}/challenge`);
    await post(person, '/user/withdrawals', { withdrawalId, signature: await sign(person.wallet, typedData) });
    await waitFor('the deposit to be back', async () => ((await eure.balanceOf(from)) === 41n ? true : undefined));
    // Until the return is booked, it is in the way of the next withdrawal, which is not even offered.
    await waitFor('withdrawals to go on', async () => ((await isStopped().catch(String)) === undefined ? true : undefined));
    await waitFor('the withdrawal', async () => ((await eure.balanceOf(to)) === 200n ? true : undefined));
    expect(await returns()).toMatchObject({ data: [] });
    expect((await accountOf(person)).status).toBe('active');
  });

  it('gives the money back when the token cannot be moved, and when the ledger does not have it', async () => {
    const person = await settle(500n);
    const to = newWallet().address;
    expect(await codeOf(person, '/user/withdrawals/challenge', { token: 'EURe', amount: '501', to })).toBe('INSUFFICIENT_FUNDS');
    const refused = await request(person, to, 500n);
    // Set aside since, and not given back.
    await post(person, '/sandbox/withdrawals', { token: 'EURe', amount: '1', outcome: 'hold' });
    expect(await codeOf(person, '/user/withdrawals', refused)).toBe('INSUFFICIENT_FUNDS');

    const submission = await request(person, to, 300n);
    const code = await evm.rpc<string>('eth_getCode', [eure.address, 'latest']);
    // A token that reverts every transfer, as a paused one does.
    await evm.setCode(eure.address, '0x60006000fd');
    try {
      // It is simulated first: nothing is sent, and no gas is paid.
      expect(await codeOf(person, '/user/withdrawals', submission)).toBe('TOKEN_BLOCKED');
      expect(await untilEnded(person, submission.withdrawalId)).toMatchObject({ status: 'failed' });
    } finally {
      await evm.setCode(eure.address, code);
    }
    expect(await spendable(person)).toBe('499');
    expect(await eure.balanceOf(to)).toBe(0n);
    const again = await request(person, to, 300n);
    await post(person, '/user/withdrawals', again);
    expect(await untilEnded(person, again.withdrawalId)).toMatchObject({ status: 'completed' });
    expect(await eure.balanceOf(to)).toBe(300n);
  });

  it('carries out one of two withdrawals that were signed for the same nonce', async () => {
    const person = await settle(800n);
    const to = newWallet().address;
    const both = [await request(person, to, 300n), await request(person, to, 400n)];
    const codes = await Promise.all(both.map((submission) => codeOf(person, '/user/withdrawals', submission)));
    expect(codes.filter((code) => code === 'WITHDRAWAL_IN_PROGRESS')).toHaveLength(1);
    for (const { withdrawalId } of both) await untilEnded(person, withdrawalId);
    const paid = codes[0] === undefined ? 300n : 400n;
    expect(await eure.balanceOf(to)).toBe(paid);
    expect(await spendable(person)).toBe(String(800n - paid));
  });

  it('stops an account whose owner was lost: it neither spends nor withdraws with the replacement, and nobody unblocks it', async () => {
    const person = await settle(600n);
    const [to, replacement] = [newWallet().address, newWallet()];
    const card = await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
    const submission = await request(person, to, 100n);
    const network = connectCardNetwork(platform.services.card.url, platform.operatorKey);
    try {
      expect(await network.payment(card).authorize(100)).toMatchObject({ approved: true });
      await replaceWallet(platform, person, replacement);
      const declined = { approved: false, declineReason: { code: 'account_blocked' } };
      expect(await network.payment(card).authorize(100)).toMatchObject(declined);
    } finally {
      await network.close();
    }
    const recovered = { ...person, wallet: replacement, token: (await signIn(platform.api, replacement)).accessToken };
    expect(await accountOf(recovered)).toMatchObject({ status: 'blocked' });
    // The platform does not sign what the lost wallet signed before.
    expect(await codeOf(recovered, '/user/withdrawals', submission)).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await codeOf(recovered, '/user/withdrawals/challenge', { token: 'EURe', amount: '1', to })).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await eure.balanceOf(to)).toBe(0n);
    await withAccounts(async (accounts) => {
      await accounts.confirmSafe({ accountId: person.account.id }).catch(() => undefined);
      await expect(accounts.unblockAccount({ accountId: person.account.id })).rejects.toMatchObject({ code: 'SAFE_OWNER_REVOKED' });
    });
  });

  it('lets the owner leave through the Delay module, which is booked and blocks the account', async () => {
    const person = await settle(700n);
    const { safeAddress, deployment } = await accountOf(person);
    const module = deployment?.delayModule ?? '0x';
    const ownership = { owner: person.wallet.address, delayModule: module };
    await (await requestExit(evm, ownership, { token: eure.address, amount: 200n }))();
    expect(await eure.balanceOf(safeAddress)).toBe(500n);
    await waitFor('the account to be blocked', async () => ((await accountOf(person)).status === 'blocked' ? true : undefined));
    // The alarm about the waiting transaction blocks the account before the transfer is final.
    const withdrawals = await waitFor('the withdrawal to be booked', async () => {
      const found = await withdrawalsOf(person);
      return found.some(({ status }) => status === 'completed') ? found : undefined;
    });
    expect(withdrawals).toMatchObject([{ status: 'completed', amount: '200' }]);

    platform.clock.advanceSeconds(3601);
    const again = { ...person, token: (await signIn(platform.api, person.wallet)).accessToken };
    const left = await waitFor('the Safe to deviate', async () => {
      const found = await accountOf(again);
      return found.deployment?.status === 'deviating' ? found : undefined;
    });
    expect(left.deployment?.findings).toEqual(['history_differs']);
    await withAccounts(async (accounts) => {
      await expect(accounts.unblockAccount({ accountId: left.id })).rejects.toMatchObject({ code: 'SAFE_NOT_VERIFIED' });
    });
    expect((await accountOf(again)).status).toBe('blocked');
  });

  describe('with another history', () => {
    type Moves = { data: { accountId: string; safeAddress: Address; token: string; amount: string; cosigned: boolean }[]; ready: boolean };
    const movesOf = ({ token }: Person) => platform.api.call<Moves>('GET', '/user/moves', { token });
    const challenge = '/user/moves/challenge';
    /** Slot of a Safe's nonce. */
    const putNonceBack = (safe: Address, nonce: bigint) => store(safe, '0x5', nonce);
    const store = async (safe: Address, slot: Hex, word: bigint) => {
      await evm.rpc('hardhat_setStorageAt', [safe, slot, toHex(word, { size: 32 })]);
      await evm.mine();
    };
    /** A person has decided that a rejected deposit of an account goes back. @returns the id of the return */
    const sendBack = async (accountId: string, counterparty: Address): Promise<string> => {
      const [id, hash] = [randomUUID(), `0x${'1'.repeat(64)}`];
      const place = { chainId: CHAIN_ID, txHash: hash, logIndex: 0, blockNumber: 1, blockHash: hash };
      const transfer = { ...place, direction: 'in', accountId, counterparty, token: 'EURe', amount: '5' };
      const exception = { kind: 'rejected', status: 'open', returnedBy: 'ops', transfer, createdAt: new Date(), outbox: [] };
      await withStored((db) => db.collection<Stored>('exceptions').insertOne({ _id: id, ...exception }));
      return id;
    };
    /** Waits until an account owns an amount, whether it may spend or not, and owes nothing. */
    const untilOwned = async (accountId: string, amount: bigint) => {
      const scopes = [LEDGER_SCOPES.readBalances];
      const ledger = openOperatorChannel(platform, { audience: 'ledger', baseUrl: platform.services.ledger.url, scopes });
      try {
        await waitFor(`an account with ${amount}`, async () => {
          const { currencies } = await ledger.client(BalanceService).getAccountBalances({ accountId }, { timeoutMs: RPC_MS });
          const owned = currencies.reduce((sum, one) => sum + BigInt(one.spendable) + BigInt(one.nonSpendable), 0n);
          return owned === amount && currencies.every(({ debt }) => debt === '0') ? true : undefined;
        });
      } finally {
        await ledger.close();
      }
    };
    const leave = async ({ wallet }: Person, { deployment }: Account, amount: bigint) =>
      (await requestExit(evm, { owner: wallet.address, delayModule: deployment?.delayModule ?? '0x' }, { token: eure.address, amount }))();

    /** A person whose owner has taken 200 of 700 alone, and whose account was replaced. */
    const replaced = async () => {
      const { account: former, ...settled } = await settle(700n);
      await leave(settled, former, 200n);
      await untilOwned(former.id, 500n);
      platform.clock.advanceSeconds(3601);
      const person = { ...settled, token: (await signIn(platform.api, settled.wallet)).accessToken };
      expect(await movesOf(person)).toMatchObject({ data: [] });
      // The inspection finds it, and tells the ledger.
      await waitFor('the account to be replaced', async () => (await replaceAccount(platform, former.id)) || undefined);
      await platform.api.call('GET', '/user/onboarding', { token: person.token });
      return { person, former };
    };

    it('leaves its owner another account, to whose Safe owner and platform move the money, booked once on each side', async () => {
      const { person, former } = await replaced();
      const order = { accountId: former.id, token: 'EURe' };
      const predicted = await accountOf(person);
      expect(predicted.id).not.toBe(former.id);
      expect(predicted.status).toBe('provisioning');
      const money = {
        accountId: former.id,
        safeAddress: former.safeAddress,
        firstOwner: person.wallet.address,
        token: 'EURe',
        amount: '500',
        cosigned: true,
      };
      expect(await movesOf(person)).toMatchObject({ data: [money], ready: false });
      expect(await codeOf(person, challenge, order)).toBe('ACCOUNT_NOT_ACTIVE');
      const next = await setUp(person);
      expect(next.safeAddress).toBe(predicted.safeAddress);
      expect(await movesOf(person)).toMatchObject({ data: [money], ready: true });
      const stranger = await registerPerson(platform.api, newWallet());
      expect(await codeOf(stranger, challenge, order)).toBe('ACCOUNT_NOT_FOUND');
      expect(await codeOf(person, challenge, { ...order, accountId: next.id })).toBe('ACCOUNT_NOT_FOUND');
      // No proof of reserves is made here.
      const reservesOf = ({ token }: { token: string }, accountId: string) =>
        platform.api.as(token).userAccount.getAccountReserves({ accountId });
      for (const { id } of [former, next]) await expect(reservesOf(person, id)).rejects.toMatchObject({ code: 'RESERVES_NOT_FOUND' });
      for (const id of [former.id, randomUUID()])
        await expect(reservesOf(stranger, id)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });

      for (const to of [former.safeAddress, former.deployment?.delayModule, COLLECTOR.address])
        expect(await codeOf(person, '/user/withdrawals/challenge', { token: 'EURe', amount: '1', to })).toMatchObject({
          name: 'ValidationError',
        });

      const returnId = await sendBack(former.id, newWallet().address);
      const returned = `/user/returns/${returnId}/challenge`;
      const back = await post<Challenge>(person, returned);
      expect(back.typedData.domain.verifyingContract).toBe(former.safeAddress);
      const returns = () => platform.api.call<{ data: object[] }>('GET', '/user/returns', { token: person.token });
      expect((await returns()).data).toMatchObject([{ id: returnId, safeAddress: former.safeAddress, amount: '5' }]);
      expect(await codeOf(stranger, returned, {})).toBe('WITHDRAWAL_NOT_FOUND');
      // With a guard, the platform signs nothing of that Safe.
      await store(former.safeAddress, GUARD_SLOT, BigInt(stranger.wallet.address));
      expect(await movesOf(person)).toMatchObject({ data: [{ ...money, cosigned: false }], ready: true });
      expect(await returns()).toMatchObject({ data: [] });
      for (const path of [challenge, returned])
        expect(await codeOf(person, path, path === challenge ? order : {})).toBe('SAFE_NOT_VERIFIED');
      await store(former.safeAddress, GUARD_SLOT, 0n);

      const { withdrawalId, typedData } = await post<Challenge>(person, challenge, order);
      expect(typedData.domain.verifyingContract).toBe(former.safeAddress);
      expect(typedData.message['data']).toBe(eure.transfer(next.safeAddress, 500n));
      const signature = await sign(person.wallet, typedData);
      expect(await codeOf(person, '/user/withdrawals', { withdrawalId, signature: await sign(newWallet(), typedData) })).toBe(
        'INVALID_SIGNATURE',
      );
      // Another recipient than the Safe of the new account is never set aside.
      const restore = await changeWithdrawal(withdrawalId, { recipient: newWallet().address });
      expect(await codeOf(person, '/user/withdrawals', { withdrawalId, signature })).toBe('INVALID_SIGNATURE');
      await restore();
      await Promise.all([1, 2, 3].map(() => post(person, '/user/withdrawals', { withdrawalId, signature })));
      const ended = await untilEnded(person, withdrawalId);
      expect(ended).toMatchObject({ status: 'completed', amount: '500' });
      await untilOwned(former.id, 0n);
      await untilOwned(next.id, 500n);
      expect([await eure.balanceOf(former.safeAddress), await eure.balanceOf(next.safeAddress)]).toEqual([0n, 500n]);
      expect(await movesOf(person)).toMatchObject({ data: [] });
      expect(await codeOf(person, challenge, order)).toBe('INSUFFICIENT_FUNDS');
      expect((await accountOf(person)).status).toBe('active');

      // The former Safe gets money again, its nonce is put back, and somebody executes the same transaction once more.
      await eure.pay(former.safeAddress, 500n);
      await untilOwned(former.id, 500n);
      const { to, input } = await evm.rpc<{ to: Address; input: Hex }>('eth_getTransactionByHash', [ended.txHash]);
      await putNonceBack(former.safeAddress, 1n);
      await evm.send(to, input);
      await untilOwned(former.id, 0n);
      await untilOwned(next.id, 1000n);
      expect((await accountOf(person)).status).toBe('active');
    });

    it('lets its owner take the money through the Delay module instead, and then nothing is moved', async () => {
      const { person, former } = await replaced();
      await setUp(person);
      const { withdrawalId, typedData } = await post<Challenge>(person, challenge, { accountId: former.id, token: 'EURe' });
      const signature = await sign(person.wallet, typedData);
      await leave(person, former, 500n);
      await untilOwned(former.id, 0n);
      const again = { ...person, token: (await signIn(platform.api, person.wallet)).accessToken };
      expect(await codeOf(again, '/user/withdrawals', { withdrawalId, signature })).toMatch(/^(INSUFFICIENT_FUNDS|WITHDRAWAL_EXPIRED)$/);
      await untilOwned(former.id, 0n);
      expect((await accountOf(again)).status).toBe('active');
    });
  });

  it('gives the account back to an owner who has named a backup key: it neither spends nor withdraws until the replacement owns its Safe', async () => {
    const person = await settle(600n);
    const [to, replacement, backup] = [newWallet().address, newWallet(), newWallet()];
    // The inspection that follows on the set-up is over.
    platform.clock.advanceSeconds(16);
    const card = await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
    const submit = async (by: Person, [key, proven]: [Wallet, Wallet], path: string, body: object = {}): Promise<unknown> => {
      const { transactionId, typedData, provenKey } = await post<{ transactionId: string; typedData: SafeTypedData; provenKey?: string }>(
        by,
        path,
        body,
      );
      expect(provenKey).toBe(proven.address);
      const [signature, proof, other] = await Promise.all([key, proven, newWallet()].map((one) => sign(one, typedData)));
      for (const wrong of [{ signature: other, proof }, { signature }, { signature, proof: other }, { signature, proof: signature }])
        expect(await codeOf(by, '/user/account/recovery', { transactionId, ...wrong })).toBe('INVALID_SIGNATURE');
      return post(by, '/user/account/recovery', { transactionId, signature, proof });
    };
    expect(await codeOf(person, '/user/account/backup-key/challenge', { backupKey: 'nobody' })).toBeDefined();
    expect(await codeOf(person, '/user/account/recovery/challenge', {})).toBe('RECOVERY_NOT_AVAILABLE');
    await submit(person, [person.wallet, backup], '/user/account/backup-key/challenge', { backupKey: backup.address });
    await waitFor('the backup key to be named', async () => {
      const { deployment, status } = await accountOf(person);
      return status === 'active' && deployment?.backup?.key === backup.address ? true : undefined;
    });
    const node = { request: ({ method, params }: { method: string; params?: unknown[] }) => evm.rpc(method, params) };
    const file = leaveFileOf(platform.api.as(person.token), person.wallet.address);
    await expect(file).rejects.toThrow(UnexpectedTextError);
    const { plan } = await leaveFileOf(platform.api.as(person.token), person.wallet.address, { node });
    expect(plan).toMatchObject({ safe: person.account.safeAddress.toLowerCase(), delay: { cooldownSeconds: 73 * 3600 } });
    expect(await nextLeaveStep(node, plan)).toMatchObject({ step: 'request' });
    await untilEnded(person, (await submitted(person, to, 100n)).withdrawalId);

    await replaceWallet(platform, person, replacement);
    const recovered = { ...person, wallet: replacement, token: (await signIn(platform.api, replacement)).accessToken };
    const recovery = async () =>
      (await platform.api.call<{ recovery?: { status: string } }>('GET', '/user/account/recovery', { token: recovered.token })).recovery
        ?.status;
    expect(await recovery()).toBeUndefined();
    const chain = openOperatorChannel(platform, { audience: 'chain', baseUrl: platform.chainUrl, scopes: [CHAIN_SCOPES.readExceptions] });
    const unscoped = openOperatorChannel(platform, { audience: 'chain', baseUrl: platform.chainUrl, scopes: [CHAIN_SCOPES.readWatches] });
    const office = await startBackOffice(platform);
    const support = await office.operator('support');
    const inFile = async (userId: string) => {
      await support.ask(`POST /api/people/${userId}/access`, { body: { reason: 'the person has lost a wallet' } });
      return (await support.ask(`GET /api/people/${userId}/recovery`)).body;
    };
    const network = connectCardNetwork(platform.services.card.url, platform.operatorKey);
    try {
      await submit(recovered, [backup, replacement], '/user/account/recovery/challenge');
      await waitFor('the exchange to wait', async () => ((await recovery()) === 'waiting' ? true : undefined));
      const exchange = { kind: 'request', formerOwner: person.wallet.address, newOwner: replacement.address, isStuck: false };
      const naming = { kind: 'naming', status: 'completed', backupKey: backup.address, endedAt: expect.any(String) };
      const named = { address: backup.address, namedAt: expect.any(String) };
      const waiting = { ...exchange, status: 'waiting', executableAt: expect.any(String), expiresAt: expect.any(String) };
      expect(await inFile(person.userId)).toMatchObject({ backupKey: named, transactions: [waiting, naming] });
      expect(await inFile((await registerPerson(platform.api)).userId)).toEqual({ transactions: [] });
      const list = ({ client }: typeof chain, userId: string) => client(RecoveryService).listUserRecoveryTransactions({ userId });
      expect((await list(chain, person.userId)).transactions).toHaveLength(2);
      await expect(list(unscoped, person.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(list(chain, randomUUID())).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
      expect(await network.payment(card).authorize(100)).toMatchObject({ approved: false, declineReason: { code: 'account_blocked' } });
      await withAccounts(async (accounts) => {
        await expect(accounts.unblockAccount({ accountId: person.account.id })).rejects.toMatchObject({ code: 'SAFE_OWNER_REVOKED' });
      });
      await evm.rpc('evm_increaseTime', [48 * 3600 + 1]);
      await evm.mine();
      await waitFor('the owner to be exchanged', async () => ((await recovery()) === 'completed' ? true : undefined));
      const step = { step: 'exchange', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), isStuck: false };
      const completed = { ...exchange, status: 'completed', endedAt: expect.any(String), calls: expect.arrayContaining([step]) };
      expect(await inFile(person.userId)).toMatchObject({ backupKey: named, transactions: [completed, naming] });
      const account = await accountOf(recovered);
      expect(account.deployment).toMatchObject({ status: 'verified', owner: replacement.address, firstOwner: person.wallet.address });
      expect(account.safeAddress).toBe(person.account.safeAddress);
      await withAccounts(async (accounts) => void (await accounts.unblockAccount({ accountId: account.id })));
      expect(await network.payment(card).authorize(100)).toMatchObject({ approved: true });
    } finally {
      await network.close();
      await office.close();
      await chain.close();
      await unscoped.close();
    }
    await expect(leaveFileOf(platform.api.as(recovered.token), replacement.address, { node })).rejects.toThrow(UnexpectedTextError);
    const next = await leaveFileOf(platform.api.as(recovered.token), replacement.address, { node, firstOwner: plan.owner });
    expect(next.plan).toMatchObject({ owner: replacement.address.toLowerCase(), firstOwner: plan.owner });
    expect(await nextLeaveStep(node, next.plan)).toMatchObject({ step: 'request' });
    await untilEnded(recovered, (await submitted(recovered, to, 50n)).withdrawalId);
    expect(await eure.balanceOf(to)).toBe(150n);
    expect((await accountOf(recovered)).status).toBe('active');
  });
});
