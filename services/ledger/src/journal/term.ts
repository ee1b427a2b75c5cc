import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { canBecome, endAfter, hasEnded, type WriterEnd, type WriterState } from './writer-state.ts';

/** One term of a shard's writer: where it stands in the table of `writer-state.ts`. */
export type Term = {
  state: () => WriterState;
  isOver: () => boolean;
  /** The error of a caller for whom the state has no verdict. */
  standing: () => string;
  /** The same as an error: CodedError SERVICE_UNAVAILABLE. */
  unavailable: () => CodedError;
  /** Moves on, if the table allows it. */
  become: (next: WriterState, error?: unknown) => void;
  /** Ends the term if the error says so. @returns false when the error is temporary */
  endsWith: (error: unknown) => boolean;
  /** The same for an error of drafting or appending, and logs one that is temporary. */
  failed: (error: unknown) => void;
  /** Runs a check that may end the term by what it throws. */
  check: (work: () => unknown) => void;
};

export type TermOptions = {
  shard: string;
  logger: Logger;
  /** Called once, when the term is over, with the error that ended it. */
  ended: (end: WriterEnd, error: unknown) => void;
};

export const createTerm = ({ shard, logger, ended }: TermOptions): Term => {
  let state: WriterState = 'opening';
  const standing = (): string => `the journal of shard ${shard} is ${state}`;

  const become = (next: WriterState, error?: unknown): void => {
    if (!canBecome(state, next)) return;
    state = next;
    if (hasEnded(next)) ended(next, error);
  };

  const endsWith = (error: unknown): boolean => {
    const end = endAfter(error);
    if (end !== undefined) become(end, error);
    return end !== undefined;
  };

  const failed = (error: unknown): void => {
    if (!endsWith(error)) logger.warn({ err: error, shard }, 'drafting or appending a block failed, retrying');
  };

  return {
    state: () => state,
    isOver: () => hasEnded(state),
    standing,
    unavailable: () => new CodedError('SERVICE_UNAVAILABLE', { message: standing() }),
    become,
    endsWith,
    failed,
    check: (work) => {
      try {
        work();
      } catch (error) {
        failed(error);
      }
    },
  };
};
