import type { ShownIn } from '../domain/exception.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import { type Ending, endTokenBlock } from './token-alarms.ts';

/** Exceptions that are compared with the chain in one round. */
const BATCH = 100;

export type SettlingParts = Ending & {
  chainId: number;
  node: Pick<ChainNode, 'header'>;
  exceptions: Ending['exceptions'] & Pick<ExceptionStore, 'awaiting' | 'closeReplaced' | 'settled'>;
  /** Returns true if the set-up of an account's Safe was signed: an inspection lets the account go on. */
  isKept: (accountId: string) => Promise<boolean>;
};

/**
 * Compares exceptions about blocks that were not final with the final chain, and closes those none of whose blocks is part of it: it did not happen. Where only a person
 * lets the account go on, the exception stays open for that person. Killed anywhere, the next round does the same again.
 * @param finalized block up to which the events of all blocks have been looked at
 */
export const settleAlarms = async ({ chainId, node, exceptions, accounts, isKept }: SettlingParts, finalized: number): Promise<void> => {
  const isInChain = async ({ blockNumber, blockHash }: ShownIn): Promise<boolean> => (await node.header(blockNumber)).hash === blockHash;
  for (const exception of await exceptions.awaiting(chainId, finalized, BATCH)) {
    const { code, transfer, blocks = [] } = exception;
    const areInChain = await Promise.all(blocks.map(isInChain));
    const block = blocks.find((_, index) => areInChain[index]);
    const isOfToken = transfer.accountId === '';
    if (block === undefined && (isOfToken || (await isKept(transfer.accountId)))) await exceptions.closeReplaced(exception);
    if (block === undefined && (code === 'TOKEN_PAUSED' || code === 'TOKEN_UPGRADED'))
      await endTokenBlock({ exceptions, accounts }, transfer.token, code);
    await exceptions.settled(exception, block);
  }
};
