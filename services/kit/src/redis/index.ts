export { type Lock, tryLock } from './lock.ts';
export { openRedis, type Redis } from './redis.ts';
