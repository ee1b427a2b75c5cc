import { Socket } from 'node:net';
import { quietLogger } from '@florin/rpc/testing';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { openStore, type Store } from './index.ts';

/** Patterns of the next commands whose sockets are destroyed right before they are written, as when the engine's process has just ended. */
let doomed: RegExp[] = [];
let store: Store;
beforeEach(async () => {
  const { write } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: Parameters<Socket['write']>) {
    const [next] = doomed;
    if (next?.test(Buffer.from(args[0] as Uint8Array).toString('latin1')) === true) {
      doomed = doomed.slice(1);
      this.destroy();
    }
    return Reflect.apply(write, this, args) as boolean;
  });
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: mongodbUri, database, poolSize: 4, logger: quietLogger });
});
afterEach(async () => {
  doomed = [];
  vi.restoreAllMocks();
  await store.close();
});

/** Reads until the engine answers; the driver itself repeats a read once. */
const read = (name: string): Promise<true> =>
  waitFor('the engine', async () => {
    try {
      await store.connection.collection(name).findOne({});
      return true as const;
    } catch {
      return undefined;
    }
  });

describe('a command that is written to a socket which was destroyed', () => {
  it('ends, and what repeats it succeeds', async () => {
    await read('before');
    doomed = [/closed_sockets/];
    expect(await read('closed_sockets')).toBe(true);
    expect(doomed).toEqual([]);
  });

  it('does not end the monitoring of the engine when it is the check of the monitor', async () => {
    await read('before');
    // The engine is unknown after the first one, and what repeats it waits for a check over the connection of the monitor.
    doomed = [/closed_sockets/, /hello|ismaster/i];
    expect(await read('closed_sockets')).toBe(true);
    expect(doomed).toEqual([]);
  });
});
