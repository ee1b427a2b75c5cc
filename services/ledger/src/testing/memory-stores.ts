import { type Block, blockId } from '../domain/block.ts';
import { applyChange, keyOfChange, type Movement } from '../domain/movement.ts';
import type { BlockStore, Checkpoint, CheckpointStore, PageStore, Projections, StoredPage } from '../journal/ports.ts';
import { type RunHead, type RunPart, type RunStore, runName, type WrittenRun } from '../runs/run-store.ts';
import { blockDocument } from '../store/blocks.ts';
import { epochFields, projectedFields } from '../store/checkpoints.ts';
import { headDocument, partDocument } from '../store/entry-runs.ts';
import { pageDocument } from '../store/pages.ts';

export type MemoryStores = {
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  projections: Projections;
  runs: RunStore;
  /** The documents of shard '0', for the audit, by collection. */
  documents: (collection: string) => Record<string, unknown>[];
};

/**
 * The stores of an engine, in memory: they outlive the journals that are opened on it.
 * @param now the engine's clock
 */
export const createMemoryStores = (now: () => Date = () => new Date()): MemoryStores => {
  const blocks = new Map<string, Block>();
  const pages = new Map<string, StoredPage>();
  const heads = new Map<string, { run: RunHead; ready: boolean }>();
  const parts = new Map<string, { run: WrittenRun; part: RunPart }>();
  const movements = new Map<string, Movement>();
  const holds = new Map<string, { accountId: string; expiresAt: Date }>();
  let checkpoint: Checkpoint = { epoch: 0, projected: 0 };

  const blocksAfter = (shard: string, n: number): Block[] =>
    [...blocks.values()].filter((block) => block.shard === shard && block.n > n).sort((a, b) => a.n - b.n);

  /** Removes the parts that were written in terms before this one. */
  const removeParts = (run: string, epoch: number): void => {
    for (const [key, { run: own }] of parts) if (runName(own) === run && own.epoch < epoch) parts.delete(key);
  };

  const documents: MemoryStores['documents'] = (collection) => {
    switch (collection) {
      case 'blocks':
        return [...blocks.values()].map(blockDocument);
      case 'balance_pages':
        return [...pages.values()].map((page) => pageDocument('0', page));
      case 'checkpoints':
        return [{ _id: '0', ...checkpoint, ...epochFields('0', checkpoint.epoch), ...projectedFields('0', checkpoint.projected) }];
      case 'entry_runs':
        return [...heads.values()].flatMap(({ run, ready }) => (ready ? [headDocument('0', run)] : []));
      case 'entry_run_parts':
        return [...parts.values()].map(({ run, part }) => partDocument('0', run, part));
      case 'open_holds':
        return [...holds].map(([id, hold]) => ({ _id: `0:${id}`, shard: '0', ...hold }));
      default:
        return [...movements].flatMap(([key, { id, ...movement }]) =>
          key.startsWith(`${collection}/`) ? [{ _id: id, shard: '0', ...movement }] : [],
        );
    }
  };

  return {
    documents,
    blocks: {
      insert: async (block) => {
        const id = blockId(block.shard, block.n);
        if (blocks.has(id)) return 'taken';
        blocks.set(id, structuredClone(block));
        return 'inserted';
      },
      find: async (shard, n) => blocks.get(blockId(shard, n)),
      findProven: async (shard, n) => blocks.get(blockId(shard, n)),
      after: async function* (shard, n) {
        yield* blocksAfter(shard, n);
      },
      last: async (shard) => blocksAfter(shard, 0).at(-1)?.n ?? 0,
      time: async () => now(),
    },
    pages: {
      versions: async () => [...pages.values()].map(({ page, slot, asOf }) => ({ page, slot, asOf })),
      find: async (_shard, slots) => slots.flatMap(({ page, slot }) => pages.get(`${page}:${slot}`) ?? []),
      save: async (_shard, versions) => {
        const writable = versions.filter(({ page, slot, asOf }) => (pages.get(`${page}:${slot}`)?.asOf ?? -1) <= asOf);
        for (const version of writable) pages.set(`${version.page}:${version.slot}`, { ...version });
        return writable.length === versions.length;
      },
      all: async function* () {
        yield* [...pages.values()];
      },
    },
    checkpoints: {
      load: async () => ({ ...checkpoint }),
      saveProjected: async (_shard, n) => {
        checkpoint = { ...checkpoint, projected: Math.max(checkpoint.projected, n) };
      },
      claim: async (_shard, epoch) => {
        if (epoch <= checkpoint.epoch) return undefined;
        checkpoint = { ...checkpoint, epoch };
        return { ...checkpoint };
      },
      savePaged: async (_shard, epoch, paged) => {
        if (epoch !== checkpoint.epoch || (checkpoint.paged?.n ?? 0) >= paged.n) return false;
        checkpoint = { ...checkpoint, paged };
        return true;
      },
    },
    projections: {
      save: async (_shard, projected) => {
        for (const change of projected.flatMap((block) => block.movements)) {
          const after = applyChange(movements.get(keyOfChange(change)), change);
          if (after !== undefined) movements.set(keyOfChange(change), after);
        }
        for (const change of projected.flatMap((block) => block.holds)) {
          const open = holds.get(change.holdId);
          if (change.kind === 'ended') holds.delete(change.holdId);
          else if (change.kind === 'opened') holds.set(change.holdId, open ?? { accountId: change.accountId, expiresAt: change.expiresAt });
          else if (open !== undefined && open.expiresAt < change.expiresAt) open.expiresAt = change.expiresAt;
        }
      },
    },
    runs: {
      heads: async () =>
        [...heads.values()]
          .filter(({ ready }) => ready)
          .map(({ run }) => run)
          .sort((a, b) => a.from - b.from || b.level - a.level),
      claim: async (_shard, run) => {
        const found = heads.get(`${run.level}:${run.from}`);
        if (found !== undefined && (found.ready || found.run.epoch > run.epoch)) return false;
        const isCovered = ({ run: { level, from, to }, ready }: { run: RunHead; ready: boolean }): boolean =>
          ready && level > run.level && from <= run.from && run.from <= to;
        if ([...heads.values()].some(isCovered)) return false;
        heads.set(`${run.level}:${run.from}`, { run: { ...run, entries: 0, tokens: [], touches: 0 }, ready: false });
        for (const one of found === undefined ? [run] : [run, found.run]) removeParts(runName(one), run.epoch);
        return true;
      },
      put: async (_shard, run, given) => {
        for (const { name, data } of given) {
          const key = `${runName(run)}:${name}`;
          if ((parts.get(key)?.run.epoch ?? -1) < run.epoch) parts.set(key, { run, part: { name, data: Buffer.from(data) } });
        }
        return given.map((part) => partDocument('0', run, part).sum);
      },
      finish: async (_shard, run) => {
        const key = `${run.level}:${run.from}`;
        const found = heads.get(key);
        if (found?.run.epoch !== run.epoch || found.run.to !== run.to || found.ready) return false;
        heads.set(key, { run, ready: true });
        return true;
      },
      parts: async (_shard, run, names) =>
        new Map(names.flatMap((name) => (parts.has(`${run}:${name}`) ? [[name, parts.get(`${run}:${name}`)?.part.data as Buffer]] : []))),
      stored: async (_shard, run, names) =>
        new Map(
          names.flatMap((name) => {
            const found = parts.get(`${run}:${name}`);
            return found === undefined ? [] : [[name, partDocument('0', found.run, found.part).sum]];
          }),
        ),
      remove: async (_shard, run) => {
        if (heads.get(`${run.level}:${run.from}`)?.run.to === run.to) heads.delete(`${run.level}:${run.from}`);
        removeParts(runName(run), run.epoch + 1);
      },
      removeUnfinished: async (_shard, epoch) => {
        for (const [key, { run, ready }] of heads) {
          if (ready || run.epoch >= epoch) continue;
          removeParts(runName(run), epoch);
          heads.delete(key);
        }
      },
    },
  };
};

/** Calls of the stores by name: `<store>.<call>`. */
export type Call = `${Exclude<keyof MemoryStores, 'documents'>}.${string}`;

/**
 * The same stores with `wrap` around each call that returns a promise: it runs the call, or does not. Streams are left as they are.
 */
export const around = (stores: MemoryStores, wrap: (call: Call, run: () => Promise<unknown>) => Promise<unknown>): MemoryStores => {
  const wrapStore = <T extends object>(name: Exclude<keyof MemoryStores, 'documents'>, store: T): T =>
    Object.fromEntries(
      Object.entries(store).map(([call, run]: [string, (...args: unknown[]) => unknown]) => [
        call,
        call === 'after' || call === 'all' ? run : (...args: unknown[]) => wrap(`${name}.${call}`, () => run(...args) as Promise<unknown>),
      ]),
    ) as T;
  return {
    blocks: wrapStore('blocks', stores.blocks),
    pages: wrapStore('pages', stores.pages),
    checkpoints: wrapStore('checkpoints', stores.checkpoints),
    projections: wrapStore('projections', stores.projections),
    runs: wrapStore('runs', stores.runs),
    documents: stores.documents,
  };
};
