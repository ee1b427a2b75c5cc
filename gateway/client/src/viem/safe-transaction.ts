import type { SafeTypedData } from '../generated/schemas.ts';
import { expectLines } from './expected-text.ts';

/** Types of a transaction of a Safe 1.4.1, in their order. */
const SAFE_TX =
  'to address, value uint256, data bytes, operation uint8, safeTxGas uint256, baseGas uint256, gasPrice uint256, gasToken address, refundReceiver address, nonce uint256';

const NO_ONE = `0x${'0'.repeat(40)}`;

/** The call that a Safe executes. */
export type SafeCall = {
  /** The called contract. */
  to: string;
  /** Call data, with `0x`, in lower case. */
  data: string;
  /** 0 calls, 1 delegates: the called code then acts as the Safe. */
  operation: 0 | 1;
};

/** The typed data that the owners of a Safe sign: without value, and without a payment for gas. */
export const safeTypedData = (
  { chainId, safe }: { chainId: number; safe: string },
  { to, data, operation }: SafeCall,
  { safeTxGas, nonce }: { safeTxGas: string; nonce: string },
): SafeTypedData => ({
  domain: { chainId, verifyingContract: safe },
  primaryType: 'SafeTx',
  types: { SafeTx: SAFE_TX.split(', ').map((field) => ({ name: field.split(' ')[0] ?? '', type: field.split(' ')[1] ?? '' })) },
  message: { to, value: '0', data, operation, safeTxGas, baseGas: '0', gasPrice: '0', gasToken: NO_ONE, refundReceiver: NO_ONE, nonce },
});

/** Typed data in one form, whoever made it. */
const textOf = ({ domain, primaryType, types, message }: SafeTypedData): string => {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = message;
  const type = types.SafeTx.map(({ name, type: kind }) => `${name} ${kind}`).join(', ');
  const fields = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce];
  return [primaryType, type, [domain.verifyingContract, domain.chainId, ...fields].join('\n').toLowerCase()].join('\n');
};

/**
 * Checks that a transaction is one of this Safe, on its chain, and is this call and nothing else: without value, and without a payment for gas.
 * @param terms those that can be known
 * @throws UnexpectedTextError
 */
export const expectTransaction = (
  typedData: SafeTypedData,
  safe: { chainId: number; safe: string },
  call: SafeCall,
  terms: { safeTxGas?: string; nonce?: string } = {},
): void => {
  const { safeTxGas, nonce } = typedData.message;
  expectLines(textOf(typedData), textOf(safeTypedData(safe, call, { safeTxGas, nonce, ...terms })).split('\n'));
};
