import { join } from 'node:path';
import { runStep, StepError } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { type Address, encodeEventTopics, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { ApiClient } from '../../support/api-client.ts';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { signInWithRetries } from '../life.ts';
import type { FaultChain } from './fault-chain.ts';
import { accountOf, type Saver } from './person.ts';

/** The last blocks are booked and the last holds ended by then, also after a kill. */
const SETTLE_MS = 120_000;
const RECONCILE_MS = 180_000;

/** Longer than an inspection, and another one once its block is final. */
const STAYS_MS = 20_000;

type Row = { id: string; txHash?: string; amount: string; status: string };

/** Amounts of the transfers of a token from one address to another, in the whole chain. */
const paidOn = async ({ evm, token }: FaultChain, from: Address, to: Address): Promise<bigint[]> => {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } });
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: token.address, topics };
  return (await evm.rpc<{ data: Hex }[]>('eth_getLogs', [filter])).map(({ data }) => BigInt(data));
};

const bookedOnce = (what: string, txHashes: readonly string[], rows: readonly Row[]): string[] =>
  txHashes.flatMap((txHash) => {
    const count = rows.filter((row) => row.txHash === txHash).length;
    return count === 1 ? [] : [`${what} ${txHash} is booked ${count} times`];
  });

/** The effects of an announced exit or a freeze that is part of the chain, and of what the owner tried before the set-up. */
const auditEnd = async (api: ApiClient, chain: FaultChain, token: string, { safe, accomplice, ended }: Saver): Promise<string[]> => {
  const allowed = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [safe, accomplice] });
  const problems =
    BigInt(await chain.evm.read(chain.token.address, allowed)) === 0n ? [] : ['an allowance of the owner alone has survived the set-up'];
  if (ended === undefined) return problems;
  if ((await chain.evm.rpc('eth_getTransactionReceipt', [ended.txHash])) === null)
    return [...problems, `${ended.by} ${ended.txHash} was not mined again`];
  const isStopped = async () => {
    const { status, tokenBlocks = [] } = await accountOf({ api }, token);
    const isBlocked = ended.by === 'request' ? status === 'blocked' : tokenBlocks.some(({ reason }) => reason === 'frozen');
    return isBlocked ? true : undefined;
  };
  // It stays stopped: an inspection before the block is not the end of it.
  await waitFor(`the account to be stopped after a ${ended.by}`, isStopped, SETTLE_MS);
  await pause(STAYS_MS);
  return (await isStopped()) ? problems : [...problems, `the account goes on after a ${ended.by} in transaction ${ended.txHash}`];
};

/** Compares what happened to one person's Safe on the chain with what the platform returns. */
export const auditSaver = async (api: ApiClient, chain: FaultChain, saver: Saver): Promise<string[]> => {
  const { accessToken: token } = await signInWithRetries(api, saver.person.wallet);
  const rowsOf = async (path: string) => (await api.call<{ data: Row[] }>('GET', `${path}?limit=100`, { token })).data;
  const problems: string[] = [];
  const paid = saver.deposits.filter((txHash) => !chain.hasVanished(txHash));
  const deposits = await waitFor(
    'all deposits to be booked',
    async () => {
      const rows = (await rowsOf('/user/deposits')).filter(({ status }) => status === 'approved');
      return rows.length >= paid.length ? rows : undefined;
    },
    SETTLE_MS,
  );
  problems.push(...bookedOnce('deposit', paid, deposits));
  if (deposits.length !== paid.length) problems.push(`${deposits.length} deposits instead of ${paid.length}`);

  const expected = saver.orders.length + (saver.exit === undefined ? 0 : 1);
  const withdrawals = await waitFor(
    'all withdrawals to end',
    async () => {
      const rows = await rowsOf('/user/withdrawals');
      return rows.length >= expected && rows.every(({ status }) => status === 'completed' || status === 'failed') ? rows : undefined;
    },
    SETTLE_MS,
  );
  if (withdrawals.length !== expected) problems.push(`${withdrawals.length} withdrawals instead of ${expected}`);
  for (const { id, to, amount } of saver.orders) {
    const status = withdrawals.find((row) => row.id === id)?.status;
    const arrived = await paidOn(chain, saver.safe, to);
    const wanted = status === 'completed' ? String(amount) : '';
    if (String(arrived) !== wanted)
      problems.push(`withdrawal ${id} is ${status}, and ${arrived.length} transfers (${arrived}) were made of ${amount}`);
  }
  if (saver.exit !== undefined) {
    problems.push(...bookedOnce('exit', [saver.exit.txHash], withdrawals));
    const { status } = await accountOf({ api }, token);
    if (status !== 'blocked') problems.push(`the account of a person who left is ${status}`);
  }
  problems.push(...(await auditEnd(api, chain, token, saver)));
  return problems;
};

/** `npm run reconcile`, as an operator runs it. */
export const reconcile = async (dataDir: string, report: (line: string) => void): Promise<string[]> => {
  const args = [join(ROOT, 'deploy/local/src/reconcile.ts'), '--data-dir', dataDir];
  try {
    const output = await runStep({ command: process.execPath, args, cwd: ROOT, env: benchEnvironment(), timeoutMs: RECONCILE_MS });
    report(output.trim());
    return [];
  } catch (error) {
    return [`reconcile: ${error instanceof StepError ? error.output : String(error)}`];
  }
};
