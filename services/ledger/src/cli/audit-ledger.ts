import { type Head, signatureProblem } from '@florin/evm/reserves';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import type { PublicKey } from '@florin/rpc/signing-key';
import { requireFields } from '../audit/required-fields.ts';
import { AuditError, type Source } from '../audit/source.ts';
import { EMPTY, faultOf, type Opening, type ShardAudit, verifyShard } from '../audit/verify-shard.ts';
import type { HeadStore } from '../store/heads.ts';
import type { SnapshotStore } from '../store/snapshots.ts';

/** Most accounts and ids in memory at once: some 300 MB. */
export const LIMITS = { maxAccounts: 200_000, maxIds: 8_000_000 };

export type LedgerAuditOptions = {
  source: Source;
  shards: readonly string[];
  heads: Pick<HeadStore, 'all' | 'findWithRoot'>;
  snapshots: Pick<SnapshotStore, 'archive' | 'accounts'>;
  trusted: readonly PublicKey[];
  /** Heads that were kept elsewhere, with the keys that came with them. */
  kept?: { keys: readonly PublicKey[]; heads: readonly Head[] };
  limits?: { maxAccounts: number; maxIds: number };
  progress?: (shard: string) => (walked: number, of: number) => void;
};

const NOTHING = { start: 0, blocks: 0, entries: 0, heads: 0, sums: new Map<string, bigint>() };

/** Where a shard's audit begins, or why it cannot begin there. */
export const openingOf = async (
  { heads, snapshots }: Pick<LedgerAuditOptions, 'heads' | 'snapshots'>,
  shard: string,
  trusted: readonly PublicKey[],
): Promise<Opening | string> => {
  const archive = await snapshots.archive(shard);
  if (archive === undefined) return EMPTY;
  const head = await heads.findWithRoot(shard, archive.n);
  if (head === undefined) return 'the journal begins after this block, and no signed head states the balances after it';
  return signatureProblem(head, trusted) ?? { place: archive, accounts: () => snapshots.accounts(shard, archive.n) };
};

type Settings = { _id: string; shards: number };
type Row = { _id: string; shard: string; n?: number; root?: string };

/**
 * Checks what stands beside the shards' journals: no row names a shard without a journal, no head is stored under another name.
 * @throws AuditError
 */
const checkBeside = async (source: Source, settings: readonly Settings[], journals: ReadonlySet<string>): Promise<void> => {
  const fail = (problem: string): never => {
    throw new AuditError('0:0', problem);
  };
  const stray = settings.find(({ _id }) => _id !== 'journal');
  if (stray !== undefined) fail(`the settings ${stray._id} are unknown`);
  for (const name of ['heads', 'snapshots', 'adjustments']) {
    for await (const { _id, shard, n, root } of source.collection(name).find({}) as AsyncIterable<Row>) {
      if (!journals.has(shard)) fail(`${name} ${_id} names shard ${shard}, which has no journal`);
      if (name === 'heads' && _id !== `${shard}:${n}${root === undefined ? '' : ':root'}`) fail(`head ${_id} is stored under another name`);
    }
  }
};

/** Audits the shards one after the other. Heads are held against the journal as far as a key is trusted. */
export const verifyLedger = async function* (options: LedgerAuditOptions): AsyncGenerator<ShardAudit & { shard: string }> {
  const { shards, heads, kept, limits = LIMITS, progress } = options;
  const source = requireFields(options.source);
  const trusted = options.trusted.length > 0 ? options.trusted : (kept?.keys ?? []);
  // Shards that heads or checkpoints name are audited although they have no blocks.
  const checkpoints = (await Array.fromAsync(source.collection('checkpoints').find({}))) as { _id: string }[];
  const named = [...(kept?.heads ?? []).map(({ shard }) => shard), ...checkpoints.map(({ _id }) => _id)];
  const settings = (await Array.fromAsync(source.collection('settings').find({}))) as Settings[];
  const journals = new Set([...shards, ...named]);
  const bad = await faultOf(() => checkBeside(source, settings, journals));
  if (bad !== undefined) {
    yield { ...NOTHING, shard: '0', bad };
    return;
  }
  for (const shard of journals) {
    const opening = await openingOf(options, shard, trusted);
    if (typeof opening === 'string') {
      const bad = { block: `${shard}:${(await options.snapshots.archive(shard))?.n ?? 0}`, problem: opening };
      yield { ...NOTHING, shard, bad };
      continue;
    }
    const stored = trusted.length === 0 ? [] : await heads.all(shard);
    const all = [...stored, ...(kept?.heads ?? [])];
    const audit = await verifyShard({
      source,
      shard,
      opening,
      heads: all,
      trusted,
      limits,
      // Only a restore leaves the settings out.
      belongs: (accountId) => settings[0] === undefined || shardOf(accountId, settings[0].shards) === shard,
      ...(progress && { progress: progress(shard) }),
    });
    yield { shard, ...audit };
  }
};
