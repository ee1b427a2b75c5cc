import { connect } from 'node:net';
import { MongoClient } from 'mongodb';

const PROBE_TIMEOUT_MS = 2_000;

/** Whether a MongoDB at `uri` answers a command that needs its storage. */
export async function mongodbAnswers(uri: string, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<boolean> {
  return (await mongodbFailure(uri, timeoutMs)) === undefined;
}

/** Why the MongoDB at `uri` does not answer, or undefined when it does. */
export async function mongodbFailure(uri: string, timeoutMs: number): Promise<unknown> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs, maxPoolSize: 1 });
    await client.connect();
    // `ping` may be answered while the storage behind is away; a read may not.
    await client.db('florin_probe').collection('probe').findOne({}, { timeoutMS: timeoutMs });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client?.close().catch(() => undefined);
  }
}

/** Whether a Redis on this machine answers PING; one that is still loading its data does not. */
export function redisAnswers(port: number, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => settle(data.toString('latin1').startsWith('+PONG')));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
  });
}

/** Why the Redis at `url` does not answer, or undefined when it does. */
export async function redisUrlFailure(url: string): Promise<unknown> {
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
}
