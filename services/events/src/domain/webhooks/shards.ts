import { createHash } from 'node:crypto';

/** Shards among which deliverers divide the partners. It never changes: a partner's shard is stored with its endpoints. */
export const SHARDS = 64;

/** Shard of a partner: all its endpoints are served by one deliverer, which reads its feed once. */
export const shardOf = (feed: string): number => createHash('sha256').update(feed).digest().readUInt16BE(0) % SHARDS;

/** How many of the shards a deliverer should have, when so many share them. */
export const fairShare = (deliverers: number): number => Math.ceil(SHARDS / Math.max(1, deliverers));
