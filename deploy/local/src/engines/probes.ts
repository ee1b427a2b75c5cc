import { connect } from 'node:net';
import { MongoClient } from 'mongodb';

const PROBE_TIMEOUT_MS = 2_000;

/** Reports whether MongoDB at `uri` responds to a command that uses its storage. */
export const isMongodbReady = async (uri: string, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<boolean> => {
  return (await mongodbFailure(uri, timeoutMs)) === undefined;
};

/** Returns the error of a command to MongoDB at `uri` that uses its storage, or undefined if it succeeds. */
export const mongodbFailure = async (uri: string, timeoutMs: number): Promise<unknown> => {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs, maxPoolSize: 1 });
    await client.connect();
    // `ping` can succeed while the storage is unavailable; a read cannot.
    await client.db('florin_probe').collection('probe').findOne({}, { timeoutMS: timeoutMs });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client?.close().catch(() => undefined);
  }
};

/**
 * Reports whether Redis on this machine responds to PING with PONG. While it loads its data, it responds with an error.
 * @param password that of its user `default`, if it has one
 */
export const isRedisReady = (port: number, password?: string, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<boolean> => {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isReady: boolean): void => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.once('connect', () => socket.write(`${password === undefined ? '' : `AUTH ${password}\r\n`}PING\r\n`));
    let response = '';
    socket.on('data', (data) => {
      response += data.toString('latin1');
      if (/^(\+PONG|-)/m.test(response)) settle(/^\+PONG/m.test(response));
    });
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
};

/** Returns the error of a PING to Redis at `url`, or undefined if it succeeds. */
export const redisUrlFailure = async (url: string): Promise<unknown> => {
  const { createClient } = await import('redis');
  try {
    const client = createClient({ url, socket: { connectTimeout: 5_000, reconnectStrategy: false } });
    client.on('error', () => undefined);
    await client.connect();
    await client.ping();
    client.destroy();
    return undefined;
  } catch (error) {
    return error;
  }
};
