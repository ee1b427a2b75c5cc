import type { Hex } from 'viem';
import type { Client } from '../create-client.ts';
import type { Deployment, SafeTypedData } from '../generated/schemas.ts';
import type { Output } from '../operations.ts';
import { expectLines } from './expected-text.ts';
import { signTyped, type Wallet } from './wallet.ts';

/** Types of a transaction of a Safe 1.4.1, in their order. */
const SAFE_TX =
  'to address, value uint256, data bytes, operation uint8, safeTxGas uint256, baseGas uint256, gasPrice uint256, gasToken address, refundReceiver address, nonce uint256';

const NO_ONE = `0x${'0'.repeat(40)}`;

/** Selector of `transfer(address,uint256)` (ERC-20). */
const TRANSFER = '0xa9059cbb';

const word = (hex: string): string => hex.toLowerCase().padStart(64, '0');

/** Checks that the transaction is one of the user's own Safe. */
const expectSafe = async (client: Client, { domain, primaryType, types }: SafeTypedData): Promise<void> => {
  const { safeAddress, chain } = await client.userAccount.getAccount();
  const type = types.SafeTx.map(({ name, type: kind }) => `${name} ${kind}`).join(', ');
  const received = [primaryType, type, domain.verifyingContract.toLowerCase(), domain.chainId].join('\n');
  expectLines(received, ['SafeTx', SAFE_TX, safeAddress.toLowerCase(), chain.id]);
};

export type WithdrawalRequest = {
  /** Symbol, for example `EURe`. */
  token: string;
  /** In the smallest unit of the token. */
  amount: string;
  /** Address that receives the money. */
  to: string;
  /** Contract of the token, if the app knows it: the transaction is compared with it too. */
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
 * Gets the transaction of a withdrawal, and checks that it is a transfer of this amount to this address, by the user's own Safe, and nothing else.
 * @throws UnexpectedTextError, FlorinError
 */
export const prepareWithdrawal = async (
  client: Client,
  { token, amount, to, tokenAddress }: WithdrawalRequest,
): Promise<PreparedWithdrawal> => {
  const { withdrawalId, expiresAt, typedData } = await client.userMovements.createWithdrawalChallenge({ token, amount, to });
  await expectSafe(client, typedData);
  const { message } = typedData;
  const data = TRANSFER + word(to.slice(2)) + word(BigInt(amount).toString(16));
  expectLines(
    [
      message.to,
      message.data,
      message.value,
      message.operation,
      message.baseGas,
      message.gasPrice,
      message.gasToken,
      message.refundReceiver,
    ]
      .join('\n')
      .toLowerCase(),
    [tokenAddress?.toLowerCase() ?? /^0x[0-9a-f]{40}$/, data, '0', '0', '0', '0', NO_ONE, NO_ONE],
  );
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

/**
 * Sets the user's Safe up. That it is the user's own Safe is checked; what the transaction does to it is shown afterwards by the account's `deployment`.
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const setUpAccount = async (client: Client, wallet: Wallet): Promise<Deployment> => {
  const typedData = await client.userAccount.createSetUpChallenge();
  await expectSafe(client, typedData);
  return client.userAccount.submitSetUp({ signature: await signTyped(wallet, typedData) });
};
