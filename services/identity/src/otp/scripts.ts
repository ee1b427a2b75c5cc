/**
 * The decisions about codes, each one command on one key: atomic against every twin, and at home in a Redis Cluster.
 * Time is an argument, so that the service's clock decides and an expired code is still known as such; the keys' own
 * expiry only tidies up.
 *
 * Fields of a slot: `id`, `proof` (keyed hash of the code; gone once it was used), `recipient` (sealed), `tries`, `sentAt`,
 * `expiresAt`, and of the last code that was used under a name: `usedAs`, `usedProof`, `usedRecipient`, `usedExpiresAt`.
 */

/**
 * Puts a new code into the slot, or answers how many milliseconds it is too early for that.
 * ARGV: now, pause between two codes, id, proof, recipient, end of life, how long the key is kept.
 */
export const ISSUE = `
local sentAt = tonumber(redis.call('hget', KEYS[1], 'sentAt') or '')
local wait = sentAt and sentAt + tonumber(ARGV[2]) - tonumber(ARGV[1]) or 0
if wait > 0 then return wait end
redis.call('hset', KEYS[1], 'id', ARGV[3], 'proof', ARGV[4], 'recipient', ARGV[5], 'tries', 0, 'sentAt', ARGV[1], 'expiresAt', ARGV[6])
redis.call('pexpire', KEYS[1], ARGV[7])
return 0`;

/**
 * Judges a guess and counts a wrong one: however many arrive at once, no more than the allowed number are looked at.
 * Proofs are keyed hashes, so what comparing them takes tells nothing about the code.
 * ARGV: now, proof of the guess, wrong tries allowed, name under which a right guess uses the code up (empty: it stays).
 */
export const CHECK = `
local slot = redis.call('hmget', KEYS[1], 'proof', 'id', 'tries', 'expiresAt', 'recipient', 'usedAs', 'usedProof', 'usedRecipient', 'usedExpiresAt')
local now = tonumber(ARGV[1])
if ARGV[4] ~= '' and slot[6] == ARGV[4] and slot[7] == ARGV[2] then
  if now >= tonumber(slot[9]) then return {'expired'} end
  return {'valid', '', slot[8]}
end
if not slot[1] or tonumber(slot[3]) >= tonumber(ARGV[3]) then return {'invalid'} end
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

/** Takes fields out of the slot while it still holds the code with this id. ARGV: id, fields. */
export const RETIRE = `
if redis.call('hget', KEYS[1], 'id') ~= ARGV[1] then return 0 end
return redis.call('hdel', KEYS[1], unpack(ARGV, 2))`;

/**
 * Takes one of the places in a sliding window, or answers how many milliseconds until one is free.
 * ARGV: now, window, places, name of the place.
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
