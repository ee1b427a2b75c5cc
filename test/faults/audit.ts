import type { Platform } from '@florin/local';
import { waitFor } from '@florin/rpc/testing/wait-for';
import type { ApiClient } from '../support/api-client.ts';
import type { ChallengeDetail } from '../support/story.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { type Life, signInWithRetries } from './life.ts';

const DECIDED = { approve: 'approved', decline: 'declined' } as const;

type Rows = { data: { txHash: string; amount: string; status: string }[] };
type Balances = { data: { currency: string; tokens: { token: string; spendable: string }[] }[] };

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n);

const compare = (what: string, acknowledged: readonly string[], present: readonly string[]): string[] => {
  const problems: string[] = [];
  for (const id of acknowledged) if (!present.includes(id)) problems.push(`${what} ${id} was acknowledged and is missing`);
  if (new Set(present).size !== present.length) problems.push(`a ${what} is listed twice`);
  for (const id of present) if (!acknowledged.includes(id)) problems.push(`${what} ${id} exists but was not acknowledged`);
  return problems;
};

/** Compares what was acknowledged to one person with what the platform returns now. */
export const auditLife = async (api: ApiClient, life: Life): Promise<string[]> => {
  const { accessToken: token, userId } = await signInWithRetries(api, life.person.wallet);
  const problems: string[] = [];
  if (userId !== life.person.userId) problems.push(`user ${life.person.userId} became ${userId}`);

  const cards = await api.call<{ data: { id: string }[] }>('GET', '/cards', { token });
  problems.push(
    ...compare(
      'card',
      life.cards,
      cards.data.map(({ id }) => id),
    ),
  );

  const deposits = await api.call<Rows>('GET', '/user/deposits', { token });
  problems.push(
    ...compare(
      'deposit',
      [...life.deposits.keys()],
      deposits.data.map(({ txHash }) => txHash),
    ),
  );
  const withdrawals = await api.call<Rows>('GET', '/user/withdrawals', { token });
  problems.push(
    ...compare(
      'withdrawal',
      [...life.withdrawals.keys()],
      withdrawals.data.map(({ txHash }) => txHash),
    ),
  );

  const balances = await api.call<Balances>('GET', '/user/balances/v2', { token });
  const spendable = balances.data.flatMap(({ tokens }) => tokens).find((row) => row.token === 'EURe')?.spendable;
  const expected = sum(life.deposits.values()) - sum(life.withdrawals.values());
  if (spendable !== String(expected)) problems.push(`user ${userId} has ${spendable} EURe instead of ${expected}`);

  for (const [id, decision] of life.decisions) {
    // After a kill, the last confirmation may be delayed, but it must arrive.
    const { challenge } = await waitFor(
      `challenge ${id} to end`,
      async () => {
        const detail = await api.call<ChallengeDetail>('GET', `/3ds/challenges/${id}`, { token });
        return detail.challenge.status === 'processing' ? undefined : detail;
      },
      30_000,
    );
    if (challenge.status !== DECIDED[decision]) problems.push(`challenge ${id} is ${challenge.status} after ${decision}`);
  }
  return problems;
};

/** Lives that are compared at the same time. */
const AT_ONCE = 8;

/** Compares what was acknowledged to several people. */
export const auditLives = async (api: ApiClient, lives: readonly Life[]): Promise<string[]> => {
  const problems: string[] = [];
  for (let at = 0; at < lives.length; at += AT_ONCE) {
    const some = await Promise.all(lives.slice(at, at + AT_ONCE).map((life) => auditLife(api, life)));
    problems.push(...some.flat());
  }
  return problems;
};

/** Audits the ledger's journal with its own command, as an operator would. */
export const auditJournal = async (
  platform: Pick<Platform, 'mongodbUri' | 'redisUrl'>,
): Promise<{ problems: string[]; summary: string }> => {
  const report = await verifyLedger(platform);
  const problems = report.bad === undefined ? [] : [`journal block ${report.bad.block}: ${report.bad.problem}`];
  for (const [token, total] of Object.entries(report.sums)) if (total !== '0') problems.push(`sum of ${token} is ${total}`);
  return { problems, summary: `journal: ${report.blocks} blocks, ${report.entries} entries, sums ${JSON.stringify(report.sums)}` };
};
