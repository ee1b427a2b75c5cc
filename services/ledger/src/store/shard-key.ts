/** `_id` of what is unique within a shard only. */
export const shardKey = (shard: string, id: string): string => `${shard}:${id}`;

/** The id in a key: what stands behind the shard. */
export const idOfKey = (key: string): string => key.slice(key.indexOf(':') + 1);
