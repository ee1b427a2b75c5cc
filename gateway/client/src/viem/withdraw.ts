import type { Hex } from 'viem';
import type { Client } from '../create-client.ts';
import type { SafeTypedData } from '../generated/schemas.ts';
import type { Output } from '../operations.ts';
import { hexOf, word } from './abi.ts';
import { type ChainNode, callView } from './chain-node.ts';
import { expectLines, UnexpectedTextError } from './expected-text.ts';
import { expectTransaction } from './safe-transaction.ts';
import { type ExpectedSetUp, planOf } from './set-up.ts';
import { addressOf, signTyped, type Wallet } from './wallet.ts';

/** Selector of `transfer(address,uint256)` (ERC-20). */
const TRANSFER = '0xa9059cbb';

/** The contract of a token, as the balances name it. @throws UnexpectedTextError if they name none: any contract could be called then */
const contractOf = async (client: Client, symbol: string): Promise<string> => {
  const { data } = await client.userAccount.getBalances();
  const contract = data.flatMap(({ tokens }) => tokens).find(({ token }) => token === symbol)?.contract;
  if (contract === undefined) throw new UnexpectedTextError(`the contract of ${symbol}`, 'none');
  return contract;
};

export type WithdrawalRequest = {
  /** Symbol, for example `EURe`. */
  token: string;
  /** In the smallest unit of the token. */
  amount: string;
  /** Address that receives the money. */
  to: string;
  /** Contract of the token. Default: the one that the balances name, which an app that knows better need not believe. */
  tokenAddress?: string;
  /** A node of the account's chain, for the Safe's nonce. Default: that of the wallet, if it has one and is on that chain. */
  node?: ChainNode;
};

/** Gas of the transfer: with 0, a transfer that fails could be executed later, with the same signature. */
const MAX_TRANSFER_GAS = 1_000_000n;

/** Selector of `nonce()` of a Safe. */
const NONCE = '0xaffed0e0';

const chainOf = async (node: ChainNode): Promise<number> => Number(await node.request({ method: 'eth_chainId' }));

/** Checks that the transaction is the next one of the Safe: signatures over later ones have no end, and together they would be several payments. */
const expectNextNonce = async ({ domain, message }: SafeTypedData, given: ChainNode | undefined, wallet: Wallet): Promise<void> => {
  const own = 'request' in wallet ? wallet : undefined;
  const node = given ?? (own !== undefined && (await chainOf(own)) === domain.chainId ? own : undefined);
  if (node === undefined) return;
  const next = BigInt(await callView(node, domain.verifyingContract, NONCE));
  expectLines([`Chain: ${domain.chainId}`, `Nonce: ${message.nonce}`].join('\n'), [`Chain: ${await chainOf(node)}`, `Nonce: ${next}`]);
};

export type PreparedWithdrawal = {
  /** Until when it can be submitted for the first time. */
  expiresAt: string;
  /**
   * Has the wallet sign, and submits the withdrawal. When nobody knows whether it has arrived, it may be submitted again: it is the same one, with the
   * same signature, and is carried out once.
   * @throws FlorinError, and what the wallet throws
   */
  submit: (wallet: Wallet) => Promise<Output<'userMovements.submitWithdrawal'>>;
};

/**
 * Gets the transaction of a withdrawal, and checks that it is a transfer of this amount of the token to this address, by the user's own Safe, and nothing else.
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareWithdrawal = async (client: Client, request: WithdrawalRequest): Promise<PreparedWithdrawal> => {
  const { token, amount, to } = request;
  return prepared(client, request, await client.userMovements.createWithdrawalChallenge({ token, amount, to }));
};

/**
 * Gets the transaction that sends a rejected deposit back to its sender, and checks that it is that, and nothing else.
 * @param deposit one of `listReturns`
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareReturn = async (
  client: Client,
  deposit: WithdrawalRequest & { id: string; safeAddress: string },
): Promise<PreparedWithdrawal> =>
  prepared(client, deposit, await client.userMovements.createReturnChallenge({ returnId: deposit.id }), deposit.safeAddress);

/**
 * Gets the transaction that moves what a former account has of a token in its Safe to the current account's Safe, and checks that it does nothing else. The Safe's address proves
 * that it belongs to this wallet and the platform.
 * @param move one of `listMoves` that is `cosigned`
 * @param wallet the owner of both Safes, which signs
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareMove = async (
  client: Client,
  { accountId, safeAddress, token, amount }: { accountId: string; safeAddress: string; token: string; amount: string },
  wallet: Wallet,
  expected: ExpectedSetUp = {},
): Promise<PreparedWithdrawal> => {
  const { safe: to } = await planOf(await client.userAccount.getAccount(), addressOf(wallet), expected);
  return prepared(
    client,
    { ...expected, token, amount, to },
    await client.userMovements.createMoveChallenge({ accountId, token }),
    safeAddress,
  );
};

const prepared = async (
  client: Client,
  { token, amount, to, tokenAddress, node }: WithdrawalRequest,
  { withdrawalId, expiresAt, typedData }: Output<'userMovements.createWithdrawalChallenge'>,
  from?: string,
): Promise<PreparedWithdrawal> => {
  const [account, contract] = await Promise.all([client.userAccount.getAccount(), tokenAddress ?? contractOf(client, token)]);
  const data = TRANSFER + word(to) + word(hexOf(amount));
  const safe = { chainId: Number(account.chain.id), safe: from ?? account.safeAddress };
  expectTransaction(typedData, safe, { to: contract, data, operation: 0 });
  const gas = BigInt(typedData.message.safeTxGas);
  if (gas === 0n || gas > MAX_TRANSFER_GAS) throw new UnexpectedTextError(`Gas: 1 to ${MAX_TRANSFER_GAS}`, `Gas: ${gas}`);
  let signature: Hex | undefined;
  return {
    expiresAt,
    submit: async (wallet) => {
      if (signature === undefined) await expectNextNonce(typedData, node, wallet);
      signature ??= await signTyped(wallet, typedData);
      return client.userMovements.submitWithdrawal({ withdrawalId, signature });
    },
  };
};

/**
 * Withdraws money. The wallet is not asked unless the transaction is a transfer of this amount to this address, by the user's own Safe, and nothing else.
 * A second call is a second withdrawal; `prepareWithdrawal` returns one that can be submitted again.
 * @returns the withdrawal, which goes on by itself
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const withdraw = async (
  client: Client,
  wallet: Wallet,
  request: WithdrawalRequest,
): Promise<Output<'userMovements.submitWithdrawal'>> => (await prepareWithdrawal(client, request)).submit(wallet);
