import type { Hex } from '@florin/evm/hex';
import { CodedError } from '@florin/rpc/errors';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { SAFE_VIEWS } from './safe-abi.ts';

/** The nonce of a Safe's next transaction after a block; 0 before it is deployed. */
export const safeNonce = async (node: Pick<ExecutionNode, 'codeAt' | 'call'>, safe: Hex, block: number): Promise<bigint> => {
  if ((await node.codeAt(safe, block)) === '0x') return 0n;
  return (await viewsOf(node, safe, SAFE_VIEWS, block)('nonce')) as bigint;
};

/**
 * The same after the newest block.
 * @param inspectedBlock block after which the Safe was inspected last; undefined before
 * @throws CodedError SERVICE_UNAVAILABLE while the nodes are behind that block: they would show a nonce that the set-up has used
 */
export const newestNonce = async (
  node: Pick<ExecutionNode, 'newestNumber' | 'codeAt' | 'call'>,
  safe: Hex,
  inspectedBlock: number | undefined,
): Promise<bigint> => {
  const newest = await node.newestNumber();
  if (inspectedBlock !== undefined && newest < inspectedBlock) throw new CodedError('SERVICE_UNAVAILABLE');
  return safeNonce(node, safe, newest);
};
