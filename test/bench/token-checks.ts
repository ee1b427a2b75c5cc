import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Auth from '@florin/rpc/auth';
import type { authorize } from '@florin/rpc/server';
import { createTestAuthority, type TestAuthority } from '@florin/rpc/testing/authority';
import { ROOT } from '../support/settings.ts';
import { median, type Row } from './row.ts';
import { sized } from './sized.ts';

const SCOPE = 'ledger.accounts.read';
const TOKENS = 50;
const ROUNDS = sized(31, 3);
const WARM_UP_ROUNDS = sized(5, 1);
const CHECKS_PER_ROUND = sized(5000, 200);

/** A check may cost at most this share more than in the other checkout. */
const MAX_RATIO = 1.1;

type Report = (line: string) => void;
type Kind = { name: string; policy: Parameters<typeof authorize>[0]; headers: readonly string[] };

/** Measures the cost of every authenticated call before its handler: the token is verified and the policy applied. */
type Check = (kind: Kind, header: string) => Promise<unknown>;

const load = async <T>(rootDir: string, path: string): Promise<T> =>
  (await import(pathToFileURL(join(rootDir, 'services/kit/rpc/src', path)).href)) as T;

/** @returns a function that creates the check of a checkout, with no token remembered */
const loadChecks = async (rootDir: string, authority: TestAuthority): Promise<() => Check> => {
  const auth = await load<typeof Auth>(rootDir, 'auth/index.ts');
  const server = await load<{ authorize: typeof authorize }>(rootDir, 'server/authorize.ts');
  return () => {
    // A fixed clock: the news of revocations never becomes stale.
    const revoked = auth.createRevokedSessions({ now: () => 0 });
    revoked.heard();
    const authenticate = auth.createAuthenticator({
      instance: 'ledger',
      user: auth.createUserTokenVerifier(authority.userKeys, () => new Date()),
      service: auth.createServiceTokenVerifier('ledger', authority.trust),
      revoked,
    });
    return ({ policy }, header) => server.authorize(policy, authenticate, header);
  };
};

const createKinds = async (authority: TestAuthority): Promise<Kind[]> => {
  const headersOf = async (sign: (index: number) => Promise<string>): Promise<string[]> =>
    Promise.all(Array.from({ length: TOKENS }, async (_, index) => `Bearer ${await sign(index)}`));
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  return [
    { name: 'user', policy: { access: 'user' }, headers: await headersOf(() => authority.userToken({ wallet, userId: randomUUID() })) },
    {
      name: 'service',
      policy: { access: 'service', scope: SCOPE },
      // Two tokens of one second that expire together are the same token.
      headers: await headersOf((index) => authority.serviceToken('card', 'ledger', [SCOPE], 300 - index)),
    },
  ];
};

/** Microseconds per check of a token that was verified before. */
const timeKnown = async (check: Check, kind: Kind): Promise<number> => {
  for (const header of kind.headers) await check(kind, header);
  const started = performance.now();
  for (let count = 0; count < CHECKS_PER_ROUND; count += 1) await check(kind, kind.headers[count % TOKENS] ?? '');
  return ((performance.now() - started) * 1000) / CHECKS_PER_ROUND;
};

/** Microseconds per check of a token that was not seen before. */
const timeNew = async (check: Check, kind: Kind): Promise<number> => {
  const started = performance.now();
  for (const header of kind.headers) await check(kind, header);
  return ((performance.now() - started) * 1000) / kind.headers.length;
};

/**
 * Compares the token check of this checkout with that of another one (`--against DIR`), in alternating rounds of one process. The ratio of
 * each figure is the median of the rounds' ratios, so that a round that other work disturbed does not count.
 * @throws Error when a check costs over a tenth more than in the other checkout
 */
export const benchTokenChecks = async (against: string, report: Report): Promise<Row[]> => {
  const authority = await createTestAuthority({ card: [SCOPE] });
  const sides = [await loadChecks(ROOT, authority), await loadChecks(resolve(against), authority)] as const;
  const rows: Row[] = [];
  for (const kind of await createKinds(authority)) {
    for (const [what, time] of [
      ['known', timeKnown],
      ['new', timeNew],
    ] as const) {
      report(`token checks: ${what} ${kind.name} tokens`);
      const times: [number, number][] = [];
      for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        const pair: [number, number] = [0, 0];
        for (const side of order as (0 | 1)[]) pair[side] = await time(sides[side](), kind);
        if (round >= WARM_UP_ROUNDS) times.push(pair);
      }
      const name = `check of a ${what} ${kind.name} token`;
      const ratio = median(times.map(([ours, theirs]) => ours / theirs));
      rows.push({ name, value: median(times.map(([ours]) => ours)), unit: 'µs', peer: 'the other checkout', ratio });
    }
  }
  const slow = rows.filter(({ ratio = 0 }) => ratio > MAX_RATIO);
  if (slow.length > 0) throw new Error(slow.map(({ name, ratio }) => `${name}: ${ratio?.toFixed(2)} times the other checkout`).join('; '));
  return rows;
};
