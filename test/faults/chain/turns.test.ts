import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that ends when it is told to. */
const createWork = (log: string[]) => {
  const ends = new Map<string, () => void>();
  return {
    begin: (name: string) => (): Promise<void> => {
      log.push(`${name} begins`);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    end: async (name: string): Promise<void> => {
      log.push(`${name} ends`);
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

describe('turns', () => {
  it('let work run beside other work, and alone, in the order in which it came', async () => {
    const log: string[] = [];
    const { begin, end } = createWork(log);
    const { together, alone } = createTurns();
    const all = [together(begin('a')), together(begin('b')), alone(begin('c')), together(begin('d')), alone(begin('e'))];
    await end('a');
    await end('b');
    await end('c');
    await end('d');
    await end('e');
    await Promise.all(all);
    expect(log).toEqual([
      ...['a begins', 'b begins', 'a ends', 'b ends', 'c begins', 'c ends'],
      ...['d begins', 'd ends', 'e begins', 'e ends'],
    ]);
  });

  it('go on after work that fails, of which only its caller learns', async () => {
    const { together, alone } = createTurns();
    const failing = async (): Promise<never> => {
      throw new Error('failed');
    };
    await expect(together(failing)).rejects.toThrow('failed');
    await expect(alone(failing)).rejects.toThrow('failed');
    expect(await alone(async () => 'done')).toBe('done');
    expect(await together(async () => 'done')).toBe('done');
  });
});
