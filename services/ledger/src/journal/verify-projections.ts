import { type Block, blockId } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { type MovementChange, type MovementList, movementChange, movementKey } from '../domain/movement.ts';
import { positionOf } from '../domain/position.ts';
import type { ProjectionAudit } from './ports.ts';

type Bad = { block: string; problem: string };
/** A block with its entries. */
type Read = { block: Block; entries: readonly Entry[] };
type Placed = { n: number; entryId: string; change: MovementChange };

const LISTS = ['deposits', 'withdrawals'] as const satisfies MovementList[];

const idOf = ({ change }: Placed): string => (change.kind === 'created' ? change.movement.id : change.update.id);

/**
 * Compares projections with the blocks that they come from, up to the block `until`, in the blocks' order. Each row says which block
 * set its state (`asOf`): it must agree with that block; and a row ahead of the walk must be met by a change in the block it names.
 */
export const createProjectionCheck = (shard: string, until: number, projections: ProjectionAudit) => {
  let entries = 0;
  const created: Record<MovementList, number> = { deposits: 0, withdrawals: 0 };
  /** Rows that are ahead of the walk, with the block that they name. Short: a movement is resolved soon after it was created. */
  const ahead = new Map<string, number>();

  const checkEntries = async (blocks: readonly Read[]): Promise<Bad | undefined> => {
    const stored = await projections.entryLines(
      shard,
      blocks.flatMap((one) => one.entries.map(({ id }) => id)),
    );
    for (const { block, entries: list } of blocks) {
      const bad = list.find(({ id }, index) => {
        const row = stored.get(id);
        return row?.position !== positionOf(block.n, index) || row.line !== block.lines[index];
      });
      if (bad !== undefined) {
        return { block: blockId(shard, block.n), problem: `entry ${bad.id} is not in the projection as it is in the block` };
      }
    }
    return undefined;
  };

  const checkMovements = async (list: MovementList, placed: readonly Placed[]): Promise<Bad | undefined> => {
    const rows = await projections.findMovementStates(list, [...new Set(placed.map(idOf))]);
    // A block may move one movement on twice, to processing and to its end: the row shows the last.
    const lastOf = new Map(placed.map((one) => [`${one.n}/${idOf(one)}`, one]));
    for (const one of placed) {
      const { n, entryId, change } = one;
      const id = idOf(one);
      const row = rows.get(id);
      const bad = (what: string): Bad => ({ block: blockId(shard, n), problem: `${entryId}: the projected movement ${what}` });
      if (row === undefined) return bad('is missing');
      if (change.kind === 'created') {
        const { accountId, token, amount } = change.movement;
        if (row.accountId !== accountId || row.token !== token || row.amount !== amount) return bad('has other content');
      }
      const status = change.kind === 'created' ? change.movement.status : change.update.status;
      if (row.asOf < n) return bad('lags behind');
      if (row.asOf > n) {
        ahead.set(movementKey(list, id), row.asOf);
        continue;
      }
      ahead.delete(movementKey(list, id));
      if (lastOf.get(`${n}/${id}`) === one && row.status !== status) return bad(`is ${row.status} instead of ${status}`);
    }
    return undefined;
  };

  return {
    check: async (blocks: readonly Read[]): Promise<Bad | undefined> => {
      const covered = blocks.filter(({ block }) => block.n <= until);
      if (covered.length === 0) return undefined;
      const bad = await checkEntries(covered);
      if (bad !== undefined) return bad;
      const placed = covered.flatMap(({ block: { n, at }, entries: list }) =>
        list.flatMap((entry, index) => {
          const change = movementChange(entry, { n, index, at });
          return change === undefined ? [] : [{ n, entryId: entry.id, change }];
        }),
      );
      entries += covered.reduce((sum, one) => sum + one.entries.length, 0);
      for (const list of LISTS) {
        const mine = placed.filter(({ change }) => change.list === list);
        created[list] += mine.filter(({ change }) => change.kind === 'created').length;
        const badMovement = await checkMovements(list, mine);
        if (badMovement !== undefined) return badMovement;
      }
      return undefined;
    },
    /** What only the whole can tell: rows that no block accounts for. */
    end: async (): Promise<Bad | undefined> => {
      for (const [key, n] of ahead) {
        if (n <= until) return { block: blockId(shard, n), problem: `${key} claims a state from this block, which does not set it` };
      }
      const at = blockId(shard, until);
      if ((await projections.countEntries(shard, until)) !== entries)
        return { block: at, problem: 'the projection has entries that no block has' };
      for (const list of LISTS) {
        if ((await projections.countMovements(shard, list, until)) !== created[list]) {
          return { block: at, problem: `the projection has ${list} that no block has` };
        }
      }
      return undefined;
    },
  };
};
