import type { Hex } from '@florin/evm/hex';
import { expect, it } from 'vitest';
import { agreeExecution } from './agree-execution.ts';
import type { ExecutionNode } from './execution-node.ts';

const [SAFE, ONE, OTHER]: Hex[] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`];

const rootOf = (...roots: (Hex | undefined)[]): Promise<Hex | undefined> =>
  agreeExecution(roots.map((root) => ({ storageRoot: async () => root }) as unknown as ExecutionNode)).storageRoot(SAFE ?? '0x', 1);

it.each([
  ['all prove the same one', [ONE, ONE, ONE], ONE],
  ['one proves none', [ONE, undefined, ONE], ONE],
  ['one proves another one', [ONE, OTHER, ONE], ONE],
  ['most prove none', [ONE, undefined, undefined], undefined],
  ['one of two proves none', [ONE, undefined], undefined],
] as const)('the storage root of several nodes, where %s', async (_name, roots, expected) => {
  expect(await rootOf(...roots)).toBe(expected);
});

it.each([
  ['two', [ONE, OTHER]],
  ['three, one of which proves none,', [ONE, OTHER, undefined]],
] as const)('%s nodes that prove different storage roots do not agree', async (_name, roots) => {
  await expect(rootOf(...roots)).rejects.toThrow('the nodes disagree about the storage root');
});
