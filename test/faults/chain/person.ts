import { randomBytes } from 'node:crypto';
import { encodeExecution, encodeSafeDeployment, safeTypedData } from '@florin/evm/safe';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem';
import { type ApiClient, isRejection } from '../../support/api-client.ts';
import { exitRequestOf, requestExit } from '../../support/request-exit.ts';
import type { Person, Wallet } from '../../support/story.ts';
import { registerWithRetries } from '../life.ts';
import type { FaultChain } from './fault-chain.ts';
import { freezeData } from './freezable-token.ts';

/** Kills delay everything by many rounds. */
const WAIT_MS = 180_000;
const DEPOSIT = 1000n;

export type Order = { id: string; to: Address; amount: bigint; status: string };
type Account = {
  id: string;
  safeAddress: Address;
  status: string;
  tokenBlocks?: { token: string; reason: string }[];
  deployment?: { delayModule?: Address };
};
type SafeTypedData = Parameters<Wallet['signTypedData']>[0];

/** A person with a Safe, and what was acknowledged to them or has happened on the chain. */
export type Saver = {
  person: Person;
  safe: Address;
  delayModule: Address;
  /** Transaction hashes of what was paid to the Safe, also of what has vanished since. */
  deposits: Hex[];
  orders: Order[];
  /** The amount that they took out by the Delay module; at most once. */
  exit?: { txHash: Hex; amount: bigint };
  /** An announced exit, or a freeze of their Safe by the token's issuer, in a block that may be replaced. */
  ended?: { txHash: Hex; by: 'request' | 'freeze' };
  /** An address that they tried to allow all money of the Safe, before it was set up. */
  accomplice: Address;
};

export type Surroundings = { api: ApiClient; chain: FaultChain; random: () => number };

/** Repeats what is refused for the time being: a response may have been lost, or the service may not know the newest block. */
const patiently = <T>(what: string, call: () => Promise<T>): Promise<T> =>
  waitFor(
    what,
    async () => {
      try {
        return await call();
      } catch (error) {
        if (!isRejection(error)) throw error;
        return undefined;
      }
    },
    WAIT_MS,
  );

export const accountOf = ({ api }: Pick<Surroundings, 'api'>, token: string): Promise<Account> =>
  api.call<Account>('GET', '/user/account', { token });

const newAddress = (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`);

/** Deploys the Safe before its set-up, and has it allow somebody its money by the owner's signature alone, which the Safe rejects. */
const actEarly = async (
  { chain }: Surroundings,
  { wallet }: Person,
  { id, safeAddress: safe }: Account,
  accomplice: Address,
): Promise<void> => {
  const parties = { accountId: id, safe, owner: wallet.address, platform: chain.platform };
  const deployment = encodeSafeDeployment(parties);
  await chain.send(deployment.to, deployment.data);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [accomplice, 1000n] });
  const chainId = Number(await chain.evm.rpc('eth_chainId'));
  const allowance = { chainId, safe, to: chain.token.address, data, operation: 0, safeTxGas: 0n, nonce: 0n } as const;
  const alone = encodeExecution(allowance, await wallet.signTypedData(safeTypedData(allowance)));
  const rejected = await chain.send(alone.to, alone.data).then(
    () => 'no error',
    (error: unknown) => String(error),
  );
  // One signature is too few.
  if (!rejected.includes('GS020')) throw new Error(`the owner alone was not rejected by the Safe: ${rejected}`);
};

/** Registers a person, sends money to the Safe and has it set up; of some the owner acts first. */
export const newSaver = async (surroundings: Surroundings): Promise<Saver> => {
  const { api, chain, random } = surroundings;
  const person = await waitFor('a registration', () => registerWithRetries(api), WAIT_MS);
  const { token, wallet } = person;
  const account = await accountOf({ api }, token);
  const safe = account.safeAddress;
  const accomplice = newAddress();
  if (random() < 0.5) await actEarly(surroundings, person, account, accomplice);
  const deposits = [await chain.token.pay(safe, DEPOSIT)];
  await patiently('the set-up', async () => {
    if ((await accountOf({ api }, token)).status === 'active') return true;
    const typedData = await api.call<SafeTypedData>('POST', '/user/account/set-up/challenge', { token, body: {} });
    const signature = await wallet.signTypedData(typedData);
    await api.call('POST', '/user/account/set-up', { token, body: { signature } });
    return true;
  });
  const delayModule = await waitFor(
    'the account to be active',
    async () => {
      const { status, deployment } = await accountOf({ api }, token);
      return status === 'active' ? deployment?.delayModule : undefined;
    },
    WAIT_MS,
  );
  return { person, safe, delayModule, deposits, orders: [], accomplice };
};

/** Withdraws to an address that nobody else is paid at, and waits for the end. */
export const withdraw = async ({ api, random }: Surroundings, { person: { token, wallet }, orders }: Saver): Promise<void> => {
  const to = newAddress();
  const amount = BigInt(1 + Math.floor(random() * 20));
  const body = { token: 'EURe', amount: String(amount), to };
  const { withdrawalId, typedData } = await patiently('a withdrawal to sign', () =>
    api.call<{ withdrawalId: string; typedData: SafeTypedData }>('POST', '/user/withdrawals/challenge', { token, body }),
  );
  const signature = await wallet.signTypedData(typedData);
  const order: Order = { id: withdrawalId, to, amount, status: 'submitted' };
  orders.push(order);
  await api.call('POST', '/user/withdrawals', { token, body: { withdrawalId, signature } });
  order.status = await waitFor(
    'a withdrawal to end',
    async () => {
      const { data } = await api.call<{ data: { id: string; status: string }[] }>('GET', '/user/withdrawals', { token });
      const status = data.find(({ id }) => id === withdrawalId)?.status;
      return status === 'completed' || status === 'failed' ? status : undefined;
    },
    WAIT_MS,
  );
};

/** The owner and the Delay module of a Safe. */
export const ownershipOf = ({ person, delayModule }: Pick<Saver, 'person' | 'delayModule'>) => ({
  owner: person.wallet.address,
  delayModule,
});

/** Takes money out without the platform. */
const leave = async ({ chain: { evm, token, untilFinal } }: Surroundings, saver: Saver): Promise<void> => {
  const amount = 100n;
  // A reorganization would undo the balance, the impersonation and the time, too.
  const txHash = await untilFinal(async () => (await requestExit(evm, ownershipOf(saver), { token: token.address, amount }))());
  saver.exit = { txHash, amount };
};

/** Announces an exit in a block that may be replaced, with the wallet's own key, so that it comes again. */
const announce = async ({ chain }: Surroundings, { person: { wallet }, delayModule }: Saver): Promise<Hex> => {
  const { evm, token, untilFinal } = chain;
  await untilFinal(() => evm.rpc('hardhat_setBalance', [wallet.address, '0xde0b6b3a7640000']));
  const data = exitRequestOf(wallet.address, { token: token.address, amount: 1n });
  const chainId = Number(await evm.rpc('eth_chainId'));
  const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const;
  return chain.sendRaw(await wallet.signTransaction({ type: 'eip1559', chainId, nonce: 0, to: delayModule, data, gas: 500_000n, ...fees }));
};

/**
 * Is paid, and withdraws, until it is over; who leaves or ends does so even then.
 * @param leaves whether this one leaves at the end by the Delay module
 * @param ends whether this one announces an exit, or is frozen by the issuer, and does nothing more
 * @param done called after each step
 */
export const saveOnAndOn = async (
  surroundings: Surroundings,
  saver: Saver,
  { over, leaves, ends, done }: Record<'over' | 'leaves' | 'ends', () => boolean> & { done: () => void },
): Promise<void> => {
  const { chain, random } = surroundings;
  while (!over() || leaves() || ends()) {
    if (leaves()) {
      await leave(surroundings, saver);
      done();
      return;
    }
    // A person who has withdrawn once shows that money was moved before.
    if (ends() && saver.orders.length > 0) {
      const by = random() < 0.5 ? 'request' : 'freeze';
      const txHash = await (by === 'request' ? announce(surroundings, saver) : chain.send(chain.token.address, freezeData(saver.safe)));
      saver.ended = { txHash, by };
      done();
      return;
    }
    if (random() < 0.4) saver.deposits.push(await chain.token.pay(saver.safe, BigInt(1 + Math.floor(random() * 50))));
    else await withdraw(surroundings, saver);
    done();
  }
};
