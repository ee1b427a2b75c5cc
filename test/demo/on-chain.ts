import assert from 'node:assert/strict';
import type { Client } from '@florin/client';
import { setUpAccount, withdraw } from '@florin/client/viem';
import { formatAmount } from '@florin/rpc/money';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { newWallet, type Wallet } from '../support/story.ts';
import type { Story } from './play-story.ts';

/** Each step takes some rounds of the chain service. */
const WAIT_MS = 120_000;

/** Clearings of 45.00 less a refund of 5.00, of 100.00. */
const REST = 60n * 10n ** 18n;
const TAKEN = 25n * 10n ** 18n;

/** The node of `CHAIN=local`, as anyone may use it. */
export type LocalNode = {
  request: (call: { method: string; params?: unknown }) => Promise<unknown>;
};

export const localNode = (url: string): LocalNode => ({
  request: async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  },
});

const euros = (amount: bigint): string => `${formatAmount(amount, 18).slice(0, -16)} EURe`;

const contractOf = async (client: Client): Promise<Hex> => {
  const { data } = await client.userAccount.getBalances();
  const contract = data.flatMap(({ tokens }) => tokens).find(({ token }) => token === 'EURe')?.contract;
  return (contract as Hex | undefined) ?? assert.fail('EURe has no contract');
};

const balanceOf = async (node: LocalNode, token: Hex, owner: string): Promise<bigint> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner as Hex] });
  return BigInt((await node.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })) as Hex);
};

/** Plays what makes a new account one with a Safe on the chain. */
export const setUpSafe = async (client: Client, wallet: Wallet, node: LocalNode, { chapter, step }: Story): Promise<void> => {
  chapter('Safe');
  const { safeAddress, status } = await client.userAccount.getAccount();
  assert.equal(status, 'provisioning');
  step('Look at the account, before its Safe exists', `Safe ${safeAddress}, ${status}`);
  await setUpAccount(client, wallet, { node });
  step('Sign the set-up of the Safe (EIP-712)', 'two owners, a way out, and a limit of what may be collected');
  await waitFor(
    'the Safe to be verified',
    async () => {
      const account = await client.userAccount.getAccount();
      return account.status === 'active' && account.deployment?.status === 'verified' ? true : undefined;
    },
    WAIT_MS,
  );
  const code = (await node.request({ method: 'eth_getCode', params: [safeAddress, 'latest'] })) as Hex;
  assert.notEqual(code, '0x');
  step('Wait until it is deployed and verified', 'active');
};

/** Has the faucet pay tokens to the Safe. @returns the hash of the transaction */
export const depositOnChain = async (client: Client, node: LocalNode): Promise<string> => {
  const { safeAddress } = await client.userAccount.getAccount();
  const { txHash } = await client.sandbox.createDeposit({ token: 'EURe', amount: String(100n * 10n ** 18n) });
  assert.equal(await balanceOf(node, await contractOf(client), safeAddress), 100n * 10n ** 18n);
  const isCredited = async (): Promise<true | undefined> => {
    const deposits = await Array.fromAsync(client.userMovements.listDeposits());
    return deposits.some((row) => row.txHash === txHash && row.status === 'approved') ? true : undefined;
  };
  await waitFor('the deposit', isCredited, WAIT_MS);
  return txHash;
};

/** Plays what follows on the chain from what the card has spent, and a withdrawal. */
export const settleOnChain = async (client: Client, wallet: Wallet, node: LocalNode, { chapter, step }: Story): Promise<void> => {
  chapter('On the chain');
  const { safeAddress, deployment } = await client.userAccount.getAccount();
  const token = await contractOf(client);
  const treasury = deployment?.collection?.treasury ?? assert.fail('nothing may be collected from the Safe');
  const held = await waitFor(
    'what was spent to be collected',
    async () => {
      const amount = await balanceOf(node, token, safeAddress);
      return amount === REST ? amount : undefined;
    },
    WAIT_MS,
  );
  step(
    'Look at the Safe',
    `${euros(held)}: what the card has spent was collected`,
    `the treasury has ${euros(await balanceOf(node, token, treasury))} of all accounts`,
  );

  const recipient = newWallet().address;
  const { id } = await withdraw(client, wallet, { token: 'EURe', amount: TAKEN.toString(), to: recipient, node });
  step(`Withdraw ${euros(TAKEN)}: sign the transaction of the Safe`, `withdrawal ${id}`);
  const ended = await waitFor(
    'the withdrawal to end',
    async () => {
      const { data } = await client.userMovements.listWithdrawals();
      return data.find((row) => row.id === id && ['completed', 'failed'].includes(row.status));
    },
    WAIT_MS,
  );
  assert.equal(ended.status, 'completed');
  assert.deepEqual([await balanceOf(node, token, recipient), await balanceOf(node, token, safeAddress)], [TAKEN, REST - TAKEN]);
  step('Wait for its block', `completed: ${recipient} has ${euros(TAKEN)}, the Safe ${euros(REST - TAKEN)}`);
};
