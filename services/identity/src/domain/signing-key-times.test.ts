import { USER_KEYS_COOLDOWN_MS, USER_KEYS_TIMEOUT_MS } from '@florin/rpc/auth';
import { describe, expect, it } from 'vitest';
import { KEY_POLL_MS, PUBLISHED_AFTER_MS, PUBLISHED_AHEAD_MS, pendingKeyAt, retiredKeysAt, signingKeyAt } from './signing-key-times.ts';

const at = (seconds: number) => new Date(seconds * 1000);
const key = (kid: string, seconds: number) => ({ kid, signsFrom: at(seconds) });
const keys = [key('a', 0), key('b', 100), key('c', 200)];
const after = PUBLISHED_AFTER_MS / 1000;

describe('signing keys', () => {
  it.each([
    [-1, 'a', 'a', []],
    [0, 'a', 'b', []],
    [99, 'a', 'b', []],
    [100, 'b', 'c', []],
    [200, 'c', undefined, []],
    [99 + after, 'c', undefined, []],
    [100 + after, 'c', undefined, ['a']],
    [200 + after, 'c', undefined, ['a', 'b']],
  ])('at %s s: %s signs, %s waits, %j go', (seconds, signs, waits, gone) => {
    expect(signingKeyAt(keys, at(seconds))?.kid).toBe(signs);
    expect(pendingKeyAt(keys, at(seconds))?.kid).toBe(waits);
    expect(retiredKeysAt(keys, at(seconds)).map(({ kid }) => kid)).toEqual(gone);
  });

  it('are published for longer before they sign than any verifier needs to learn of them', () => {
    expect(PUBLISHED_AHEAD_MS).toBeGreaterThan(10 * (KEY_POLL_MS + USER_KEYS_COOLDOWN_MS + USER_KEYS_TIMEOUT_MS));
  });
});
