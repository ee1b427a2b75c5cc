import { randomBytes } from 'node:crypto';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type Address, getAddress, type Hex } from 'viem';
import { type ApiClient, isRejection } from '../../support/api-client.ts';
import { requestExit } from '../../support/request-exit.ts';
import type { Person, Wallet } from '../../support/story.ts';
import { registerWithRetries } from '../life.ts';
import type { FaultChain } from './fault-chain.ts';

/** Kills delay everything by many rounds. */
const WAIT_MS = 180_000;
const DEPOSIT = 1000n;

export type Order = { id: string; to: Address; amount: bigint; status: string };
type Account = { id: string; safeAddress: Address; status: string; deployment?: { delayModule?: Address } };
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

/** Registers a person, sends money to the Safe and has it set up. */
export const newSaver = async ({ api, chain }: Surroundings): Promise<Saver> => {
  const person = await waitFor('a registration', () => registerWithRetries(api), WAIT_MS);
  const { token, wallet } = person;
  const { safeAddress: safe } = await accountOf({ api }, token);
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
  return { person, safe, delayModule, deposits, orders: [] };
};

/** Withdraws to an address that nobody else is paid at, and waits for the end. */
export const withdraw = async ({ api, random }: Surroundings, { person: { token, wallet }, orders }: Saver): Promise<void> => {
  const to = getAddress(`0x${randomBytes(20).toString('hex')}`);
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

/**
 * Is paid, and withdraws, until it is over; who leaves does so even then.
 * @param leaves whether this one leaves at the end by the Delay module
 * @param done called after each step
 */
export const saveOnAndOn = async (
  surroundings: Surroundings,
  saver: Saver,
  { over, leaves, done }: { over: () => boolean; leaves: () => boolean; done: () => void },
): Promise<void> => {
  const { chain, random } = surroundings;
  while (!over() || leaves()) {
    if (leaves()) {
      await leave(surroundings, saver);
      done();
      return;
    }
    if (random() < 0.4) saver.deposits.push(await chain.token.pay(saver.safe, BigInt(1 + Math.floor(random() * 50))));
    else await withdraw(surroundings, saver);
    done();
  }
};
