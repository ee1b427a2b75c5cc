import { CodedError } from '@florin/kit/errors';
import type { Logger } from '@florin/kit/observe';
import type { Runtime } from '@florin/kit/runtime';
import { pause, within } from '@florin/kit/time';
import { sealBlock } from '../domain/block.ts';
import { draftBlock, type Intent, type Verdict } from '../domain/draft-block.ts';
import type { KnownEntry } from '../domain/entry.ts';
import { appendBlock } from './append-block.ts';
import type { Backlog } from './backlog.ts';
import type { Chain } from './chain.ts';
import type { BlockStore, Projections } from './ports.ts';

const ENGINE_TIMEOUT_MS = 3000;

/** Times that a batch is drafted anew because another writer took its number. */
const MAX_DRAFTS = 20;

/** A verdict that rests on durable blocks; `n` and `at` are those of the block that was drafted for the batch. */
export type Settled = { verdict: Verdict; n: number; at: Date };

export type BatchCommitter = (intents: readonly Intent[]) => Promise<Settled[]>;

export type BatchCommitterOptions = {
  shard: string;
  epoch: number;
  blocks: BlockStore;
  projections: Pick<Projections, 'findEntries'>;
  backlog: Backlog;
  chain: Chain;
  runtime: Pick<Runtime, 'now' | 'randomInt'>;
  logger: Logger;
  /** Called after each block that was appended. */
  appended: () => void;
};

/**
 * Judges a batch of intents and writes those that pass as one block. Not to be called again before it has answered: it alone
 * changes the chain. Nothing is answered, not even a refusal, before it rests on durable blocks.
 * @throws InvariantError when stored blocks contradict themselves
 * @throws CodedError SERVICE_UNAVAILABLE, or what the engine raised; then it is unknown whether the block was written
 */
export const createBatchCommitter = (options: BatchCommitterOptions): BatchCommitter => {
  const { shard, epoch, blocks, projections, backlog, chain, runtime, logger, appended } = options;
  /** The tail may have moved without us: read it before anything is decided. */
  let stale = false;

  const lookUp = async (intents: readonly Intent[]): Promise<(id: string) => KnownEntry | undefined> => {
    const ids = new Set(intents.flatMap(({ entry, excludedBy }) => (excludedBy ? [entry.id, excludedBy.id] : [entry.id])));
    // The backlog first: what leaves it while we ask the projection is in the projection by then.
    const found = new Map<string, KnownEntry>();
    const rest: string[] = [];
    for (const id of ids) {
      const known = backlog.known(id);
      if (known === undefined) rest.push(id);
      else found.set(id, known);
    }
    const stored = rest.length === 0 ? undefined : await within(ENGINE_TIMEOUT_MS, projections.findEntries(rest));
    return (id) => found.get(id) ?? stored?.get(id);
  };

  /** One try; undefined when another writer got in between. */
  const attempt = async (intents: readonly Intent[]): Promise<Settled[] | undefined> => {
    if (stale) await chain.catchUp();
    stale = false;
    const known = await lookUp(intents);
    const tail = chain.tail();
    const { entries, verdicts, layer } = draftBlock(chain.state, intents, known, tail.n + 1);
    const block = sealBlock(tail, { shard, epoch, at: runtime.now(), entries });
    if (entries.length > 0) {
      if (!(await appendBlock(blocks, block, logger))) return undefined;
      chain.accept(block, layer);
      appended();
    } else if (verdicts.some(({ kind }) => kind === 'refused')) {
      // No write of ours proves that the refusals rest on the newest balances: look whether there is a newer block.
      if ((await within(ENGINE_TIMEOUT_MS, blocks.find(shard, block.n))) !== undefined) return undefined;
    }
    return verdicts.map((verdict) => ({ verdict, n: block.n, at: block.at }));
  };

  return async (intents) => {
    try {
      for (let draft = 0; draft < MAX_DRAFTS; draft += 1) {
        const settled = await attempt(intents);
        if (settled !== undefined) return settled;
        stale = true;
        await pause(runtime.randomInt(0, 2 + draft));
      }
    } catch (error) {
      stale = true;
      throw error;
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'other writers keep this shard busy' });
  };
};
