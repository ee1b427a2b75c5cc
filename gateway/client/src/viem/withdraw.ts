import type { Hex } from 'viem';
import type { Client } from '../create-client.ts';
import type { Output } from '../operations.ts';
import { hexOf, word } from './abi.ts';
import { UnexpectedTextError } from './expected-text.ts';
import { expectTransaction } from './safe-transaction.ts';
import { signTyped, type Wallet } from './wallet.ts';

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
export const prepareWithdrawal = async (
  client: Client,
  { token, amount, to, tokenAddress }: WithdrawalRequest,
): Promise<PreparedWithdrawal> => {
  const { withdrawalId, expiresAt, typedData } = await client.userMovements.createWithdrawalChallenge({ token, amount, to });
  const [account, contract] = await Promise.all([client.userAccount.getAccount(), tokenAddress ?? contractOf(client, token)]);
  const data = TRANSFER + word(to) + word(hexOf(amount));
  const safe = { chainId: Number(account.chain.id), safe: account.safeAddress };
  expectTransaction(typedData, safe, { to: contract, data, operation: 0 });
  let signature: Hex | undefined;
  return {
    expiresAt,
    submit: async (wallet) => {
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
