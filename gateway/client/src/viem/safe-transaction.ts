import type { Account, SafeTypedData } from '../generated/schemas.ts';
import { expectLines } from './expected-text.ts';

/** Types of a transaction of a Safe 1.4.1, in their order. */
const SAFE_TX =
  'to address, value uint256, data bytes, operation uint8, safeTxGas uint256, baseGas uint256, gasPrice uint256, gasToken address, refundReceiver address, nonce uint256';

const NO_ONE = `0x${'0'.repeat(40)}`;

/** The form of a transaction. */
type ExpectedTransaction = {
  /** The called contract. */
  to: string;
  /** Call data in lower case. */
  data: string;
  /** 0 calls, 1 delegates: the called code then acts as the Safe. */
  operation: 0 | 1;
};

/**
 * Checks that a transaction is one of this account's Safe, on its chain, and is this call and nothing else: without value, and without a payment for gas.
 * @throws UnexpectedTextError
 */
export const expectTransaction = (
  { domain, primaryType, types, message }: SafeTypedData,
  { safeAddress, chain }: Pick<Account, 'safeAddress' | 'chain'>,
  { to, data, operation }: ExpectedTransaction,
): void => {
  const type = types.SafeTx.map(({ name, type: kind }) => `${name} ${kind}`).join(', ');
  expectLines([primaryType, type, domain.verifyingContract.toLowerCase(), domain.chainId].join('\n'), [
    'SafeTx',
    SAFE_TX,
    safeAddress.toLowerCase(),
    chain.id,
  ]);
  const { value, baseGas, gasPrice, gasToken, refundReceiver } = message;
  expectLines([message.to, message.data, message.operation, value, baseGas, gasPrice, gasToken, refundReceiver].join('\n').toLowerCase(), [
    to.toLowerCase(),
    data,
    String(operation),
    '0',
    '0',
    '0',
    NO_ONE,
    NO_ONE,
  ]);
};
