import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { joinReady } from './join-ready.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const read = async (body: AsyncIterable<Uint8Array>): Promise<string[]> => (await Array.fromAsync(joinReady(body))).map(text);

describe('joining what is ready', () => {
  it('joins the chunks of a turn of the event loop, and sends those of a later one apart', async () => {
    const body = async function* () {
      yield Buffer.from('a');
      yield Buffer.from('b');
      await Promise.resolve();
      yield Buffer.from('c');
      await turn();
      await turn();
      yield Buffer.from('d');
    };
    expect(await read(body())).toEqual(['abc', 'd']);
  });

  it('does not wait for a chunk that is not ready', async () => {
    const late = Promise.withResolvers<void>();
    const body = async function* () {
      yield Buffer.from('a');
      await late.promise;
      yield Buffer.from('b');
    };
    const joined = joinReady(body());
    expect(text((await joined.next()).value ?? expect.fail())).toBe('a');
    late.resolve();
    expect(text((await joined.next()).value ?? expect.fail())).toBe('b');
    expect(await joined.next()).toMatchObject({ done: true });
  });

  it('pulls no more than 64 KiB and one chunk ahead of its reader', async () => {
    let pulled = 0;
    const body = async function* () {
      for (; pulled < 100; pulled += 1) yield Buffer.alloc(10_000);
    };
    const joined = joinReady(body());
    expect((await joined.next()).value).toHaveLength(70_000);
    await turn();
    expect(pulled).toBe(7);
    await joined.return();
  });

  it('delivers what came before a failure, then fails', async () => {
    const body = async function* () {
      yield Buffer.from('a');
      yield Buffer.from('b');
      throw new Error('broken');
    };
    const joined = joinReady(body());
    expect(text((await joined.next()).value ?? expect.fail())).toBe('ab');
    await turn();
    await expect(joined.next()).rejects.toThrow('broken');
  });

  it('releases the source when its reader ends, even while the source is waiting', async () => {
    let released = 0;
    const never = Promise.withResolvers<void>();
    const body = async function* () {
      try {
        yield Buffer.from('a');
        await never.promise;
      } finally {
        released += 1;
      }
    };
    const joined = joinReady(body());
    await joined.next();
    expect(await joined.return()).toMatchObject({ done: true });
    never.resolve();
    await turn();
    expect(released).toBe(1);
  });
});
