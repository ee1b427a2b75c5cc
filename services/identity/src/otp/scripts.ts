/**
 * Redis scripts that decide about codes. Each is one command on one key, so it is atomic and works in a Redis Cluster. Time is an
 * argument: the clock of the service decides, and an expired code is still known as expired. The expiry of the keys only cleans up.
 *
 * Fields of a slot: `id`, `proof` (keyed hash of the code; removed when it is consumed), `recipient` (encrypted), `tries`, `sentAt`,
 * `expiresAt`, `sentTo` (keyed hash of the recipient), `corrected` (1 if it was sent without a pause), and for the last code that was used under a name: `usedAs`, `usedProof`, `usedRecipient`, `usedExpiresAt`.
 */

/**
 * Puts a new code into the slot and returns 0, or returns the milliseconds until that is allowed. A code for another recipient, such as
 * the corrected phone number, needs no pause once: the next one has to wait again.
 * ARGV: now, pause between two codes, id, proof, recipient, end of lifetime, lifetime of the key, keyed hash of the recipient.
 */
export const ISSUE = `
local sentAt = tonumber(redis.call('hget', KEYS[1], 'sentAt') or '')
local wait = sentAt and sentAt + tonumber(ARGV[2]) - tonumber(ARGV[1]) or 0
local corrects = 0
if wait > 0 then
  local last = redis.call('hmget', KEYS[1], 'sentTo', 'corrected')
  if last[1] == ARGV[8] or last[2] ~= '0' then return wait end
  corrects = 1
end
redis.call('hset', KEYS[1], 'id', ARGV[3], 'proof', ARGV[4], 'recipient', ARGV[5], 'tries', 0, 'sentAt', ARGV[1], 'expiresAt', ARGV[6])
redis.call('hset', KEYS[1], 'sentTo', ARGV[8], 'corrected', corrects)
redis.call('pexpire', KEYS[1], ARGV[7])
return 0`;

/**
 * Checks a guess and counts a wrong one. However many guesses arrive at the same time, only the allowed number is compared. Proofs are
 * keyed hashes, so the time of a comparison reveals nothing about the code.
 * After the last allowed one the code is exhausted, which a right guess is told as well.
 * ARGV: now, proof of the guess, wrong tries allowed, name under which a right guess consumes the code (empty: it stays).
 */
export const CHECK = `
local slot = redis.call('hmget', KEYS[1], 'proof', 'id', 'tries', 'expiresAt', 'recipient', 'usedAs', 'usedProof', 'usedRecipient', 'usedExpiresAt')
local now = tonumber(ARGV[1])
if ARGV[4] ~= '' and slot[6] == ARGV[4] and slot[7] == ARGV[2] then
  if now >= tonumber(slot[9]) then return {'expired'} end
  return {'valid', '', slot[8]}
end
if not slot[1] then return {'invalid'} end
if tonumber(slot[3]) >= tonumber(ARGV[3]) then return {'exhausted'} end
if now >= tonumber(slot[4]) then return {'expired'} end
if slot[1] ~= ARGV[2] then
  redis.call('hincrby', KEYS[1], 'tries', 1)
  return {'invalid'}
end
if ARGV[4] ~= '' then
  redis.call('hset', KEYS[1], 'usedAs', ARGV[4], 'usedProof', slot[1], 'usedRecipient', slot[5], 'usedExpiresAt', slot[4])
  redis.call('hdel', KEYS[1], 'proof')
end
return {'valid', slot[2], slot[5]}`;

/** Removes fields from the slot while it holds the code with this id. ARGV: id, fields. */
export const RETIRE = `
if redis.call('hget', KEYS[1], 'id') ~= ARGV[1] then return 0 end
return redis.call('hdel', KEYS[1], unpack(ARGV, 2))`;

/**
 * Takes a place in a sliding window and returns 0, or returns the milliseconds until a place is free.
 * ARGV: now, window, number of places, name of the place.
 */
export const TAKE_PLACE = `
local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - window)
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then
  local oldest = redis.call('zrange', KEYS[1], 0, 0, 'withscores')
  return tonumber(oldest[2]) + window - now
end
redis.call('zadd', KEYS[1], now, ARGV[4])
redis.call('pexpire', KEYS[1], window)
return 0`;
