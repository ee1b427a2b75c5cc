import { describe, expect, it } from 'vitest';
import { heightOfMost, sameOfAll } from './same-of-all.ts';

type Node = () => Promise<number>;
const says =
  (value: number): Node =>
  async () =>
    value;
const fails: Node = () => Promise.reject(new Error('the node does not respond'));
const hangs: Node = () => new Promise(() => undefined);
const ask = (node: Node) => node();

describe('the result of several nodes', () => {
  it.each([
    ['one node', [says(1)], 1],
    ['two that agree', [says(1), says(1)], 1],
    ['three of which one lies', [says(2), says(1), says(1)], 1],
    ['three of which one fails', [fails, says(1), says(1)], 1],
    ['three of which one hangs', [says(1), hangs, says(1)], 1],
  ] as const)('is that of %s', async (_name, nodes, result) => {
    expect(await sameOfAll<Node, number>(nodes, 'it', ask)).toBe(result);
  });

  it.each([
    ['no node', [], 'a chain must have a node'],
    ['two that differ', [says(1), says(2)], 'the nodes disagree about it'],
    ['two of which one fails', [says(1), fails], 'does not respond'],
    ['three that differ', [says(1), says(2), says(3)], 'the nodes disagree about it'],
    ['three of which one lies and one fails', [says(1), says(2), fails], 'does not respond'],
    ['three of which two fail and one hangs', [fails, fails, hangs], 'does not respond'],
  ] as const)('is none of %s', async (_name, nodes, problem) => {
    await expect(sameOfAll<Node, number>(nodes, 'it', ask)).rejects.toThrow(problem);
  });

  it.each([
    ['the lower of two', [says(7), says(5)], 5],
    ['what two of three have', [says(9), says(5), says(7)], 7],
    ['what both have, of three of which one fails', [says(9), fails, says(7)], 7],
  ] as const)('is as a height %s', async (_name, nodes, height) => {
    expect(await heightOfMost<Node>(nodes, ask)).toBe(height);
  });

  it('is as a height none when only one of two or three responds', async () => {
    await expect(heightOfMost<Node>([says(9), fails], ask)).rejects.toThrow('does not respond');
    await expect(heightOfMost<Node>([fails, says(9), fails], ask)).rejects.toThrow('does not respond');
  });
});
