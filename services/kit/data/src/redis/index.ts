export {
  BEGINNING,
  comparePositions,
  openStreamFollower,
  type StreamEntry,
  type StreamFollower,
  type StreamListener,
} from './follow-stream.ts';
export { type Lock, type LockOptions, tryLock } from './lock.ts';
export { openRedis, type Redis } from './redis.ts';
