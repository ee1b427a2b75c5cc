import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import type { Environment } from '@florin/rpc/config';
import { type App, createCloser } from '@florin/rpc/process';
import { quietLogger } from '@florin/rpc/testing';
import { openStore } from '../store/index.ts';

/** A running instance, and a way to call it. */
export type Instance = Pick<RpcChannel, 'client'> & {
  /** Stops the instance, which its test bed does at the latest. */
  close: () => Promise<void>;
};

/** Opens the database of a service under test, on which a test starts any number of instances. All of them, and the database, end with the test bed. */
export const openTestBed = async (environment: Environment) => {
  const closer = createCloser();
  const { connection, close } = await openStore({
    uri: String(environment['MONGODB_URI']),
    database: String(environment['MONGODB_DATABASE']),
    poolSize: 2,
    logger: quietLogger,
  });
  closer.defer(close);
  closer.defer(() => connection.dropDatabase());
  return {
    connection,

    /** Registers what has to end before the database does; the latest ends first. */
    defer: closer.defer,

    /** Takes over a running instance. @param timeoutMs deadline of the calls to it */
    connect: (app: Pick<App, 'url' | 'close'>, timeoutMs = 20_000): Instance => {
      const channel = createRpcChannel({ baseUrl: app.url, timeoutMs });
      let closing: Promise<void> | undefined;
      const closeOnce = (): Promise<void> => {
        closing ??= channel.close().then(app.close);
        return closing;
      };
      closer.defer(closeOnce);
      return { client: channel.client, close: closeOnce };
    },

    close: closer.close,
  };
};
