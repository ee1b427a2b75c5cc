import { openRedis, type Redis } from '@florin/data/redis';
import { openStore } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';

/** A stored value with the place where it was found. */
export type DumpedValue = { place: string; text: string };

const readKey = async (redis: Redis, key: string): Promise<string> => {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hGetAll(key));
    case 'list':
      return JSON.stringify(await redis.lRange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.sMembers(key));
    case 'zset':
      return JSON.stringify(await redis.zRange(key, 0, -1));
    case 'stream':
      return JSON.stringify(await redis.xRange(key, '-', '+'));
    default:
      return '';
  }
};

/** Returns every document of every collection of the databases. */
export const dumpDatabases = async ({ mongodbUri, names }: { mongodbUri: string; names: readonly string[] }): Promise<DumpedValue[]> => {
  const values: DumpedValue[] = [];
  for (const database of names) {
    const store = await openStore({ uri: mongodbUri, database, poolSize: 2, logger: quietLogger });
    try {
      for (const { name } of (await store.connection.db?.listCollections().toArray()) ?? []) {
        for await (const document of store.connection.collection(name).find()) {
          values.push({ place: `${database}/${name}/${String(document._id)}`, text: JSON.stringify(document) });
        }
      }
    } finally {
      await store.close();
    }
  }
  return values;
};

/** Returns every key of Redis with its value. Other tests may use the same Redis. */
export const dumpRedis = async (redisUrl: string): Promise<DumpedValue[]> => {
  const redis = await openRedis(redisUrl, quietLogger);
  try {
    const values: DumpedValue[] = [];
    for await (const keys of redis.scanIterator({ COUNT: 500 })) {
      values.push(
        ...(await Promise.all(keys.map(async (key) => ({ place: `redis/${key}`, text: `${key} ${await readKey(redis, key)}` })))),
      );
    }
    return values;
  } finally {
    redis.destroy();
  }
};
