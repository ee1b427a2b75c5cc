import { hash } from 'node:crypto';
import type { Line, ReadBlock } from './read-blocks.ts';
import { AuditError, type Source } from './source.ts';

type Screening = { _id: string; accountId: string; dueAt: Date };
type Deposit = { _id: string; accountId: string; position: number };
type Claim = { _id: string; accountId: string };
type Metadata = Record<'actor' | 'reason' | 'externalReference' | 'approvedBy', string> & { labels: [key: string, value: string][] };
type Adjustment = {
  _id: string;
  inputHash: string;
  status: string;
  change: { kind: string; depositId?: string };
  metadata: Metadata;
  entryId: string;
};

const CLAIMS_PER_QUERY = 500;
/** A screening is put off by a quarter of an hour at most; the rest is for clocks. */
const MAX_DELAY_MS = 3_600_000;
const ADJUSTMENT_STATUSES = ['pending', 'approved', 'booked', 'rejected', 'failed', 'expired'];

/** Facts of an entry that an operator has ordered, sorted. */
const factsOf = ({ labels, ...fields }: Metadata): [key: string, value: string][] =>
  [
    ...Object.entries(fields).filter(([, value]) => value !== ''),
    ...labels.map(([key, value]): [string, string] => [`label.${key}`, value]),
  ].sort(([a], [b]) => (a < b ? -1 : 1));

const adjustmentProblem = ({ status, change, metadata, inputHash, entryId }: Adjustment): string | undefined => {
  const facts = factsOf({ ...metadata, approvedBy: '' });
  const ordered = [JSON.stringify(change), facts.length === 0 ? '' : JSON.stringify(facts)];
  if (hash('sha256', JSON.stringify(ordered), 'base64url') !== inputHash) return 'differs from what was ordered';
  return ADJUSTMENT_STATUSES.includes(status) && (status === 'booked') === (entryId !== '') ? undefined : 'has a wrong status';
};

/** Reports whether an entry is that of an adjustment. */
const isEntryOf = ({ _id, change, metadata }: Adjustment, { id, data }: Line): boolean => {
  const names =
    change.kind === 'deposit_reversal' ? data.get('movementId') === change.depositId : [id, data.get('reversalId')].includes(_id);
  return names && factsOf(metadata).every(([key, value]) => data.get(key) === value);
};

/**
 * Holds the records beside the journal against it: a pending deposit that lacks its row is never screened, a movement that lacks its claim can be booked for
 * another account, and a booked adjustment has its entry.
 * @param start block after which the walk begins
 * @param projected block of the checkpoint, read before
 */
export const createRecordCheck = async (source: Source, shard: string, start: number, projected: number) => {
  const rowsOf = <T>(name: string, filter: object): Promise<T[]> =>
    Array.fromAsync(source.collection(name).find(filter) as AsyncIterable<T>);
  const firstPosition = (start + 1) * 100_000;
  const earlier = await rowsOf<Deposit>('deposits', { shard, status: 'pending', position: { $lt: firstPosition } });
  /** Deposits without a verdict, with the block that they are in. */
  const pending = new Map(earlier.map(({ _id, accountId }) => [_id, { accountId, n: 0 }]));
  const screenings = new Map((await rowsOf<Screening>('pending_screenings', { shard })).map((row) => [row._id, row]));
  const adjustments = await rowsOf<Adjustment>('adjustments', { shard });
  const booked = new Map(adjustments.flatMap((one) => (one.entryId === '' ? [] : [[one.entryId, one]])));
  const now = Date.now();
  let waiting: { block: string; key: string; accountId: string }[] = [];
  let latest = now;

  const checkClaims = async (): Promise<void> => {
    const movements = waiting;
    waiting = [];
    const claims = await rowsOf<Claim>('movement_claims', { _id: { $in: movements.map(({ key }) => key) } });
    const owners = new Map(claims.map(({ _id, accountId }) => [_id, accountId]));
    const wrong = movements.find(({ key, accountId }) => owners.get(key) !== accountId);
    if (wrong !== undefined) throw new AuditError(wrong.block, `the claim of ${wrong.key} is missing or names another account`);
  };

  for (const adjustment of adjustments) {
    const problem = adjustmentProblem(adjustment);
    if (problem !== undefined) throw new AuditError(`${shard}:${projected}`, `adjustment ${adjustment._id} ${problem}`);
  }
  return {
    /** Takes in the id of an entry that is in the archive. */
    archived: (id: string): void => void booked.delete(id),
    /** @throws AuditError */
    check: async ({ id: block, n, at, lines }: ReadBlock): Promise<void> => {
      latest = Math.max(latest, at.getTime());
      for (const line of lines) {
        const { id, kind, accountId, data } = line;
        const movement = data.get('movementId') ?? '';
        if (kind === 'deposit.seen') pending.set(movement, { accountId, n });
        else if (kind.startsWith('deposit.')) pending.delete(movement);
        if (kind === 'deposit.seen') waiting.push({ block, key: `deposits/${movement}`, accountId });
        if (kind === 'withdrawal.created') waiting.push({ block, key: `withdrawals/${movement}`, accountId });
        const adjustment = booked.get(id);
        if (adjustment !== undefined && !isEntryOf(adjustment, line))
          throw new AuditError(block, `entry ${id} is not that of adjustment ${adjustment._id}`);
        booked.delete(id);
      }
      if (waiting.length >= CLAIMS_PER_QUERY) await checkClaims();
    },
    /** @throws AuditError */
    end: async (): Promise<void> => {
      await checkClaims();
      for (const [entryId, { _id }] of booked)
        throw new AuditError(`${shard}:${projected}`, `adjustment ${_id} is booked as ${entryId}, which is missing`);
      for (const [id, { accountId, n }] of pending) {
        if (n > projected) continue;
        const row = screenings.get(id);
        if (row?.accountId === accountId && row.dueAt.getTime() < latest + MAX_DELAY_MS) continue;
        throw new AuditError(`${shard}:${n}`, `deposit ${id}: the row by which it is screened is missing or wrong`);
      }
    },
  };
};
