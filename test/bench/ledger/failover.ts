import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRedis } from '@florin/data/redis';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { createRpcChannel } from '@florin/rpc/client';
import { createEntriesClient, type EntriesClient } from '@florin/rpc/entries';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { type LedgerInstance, openLedgerCluster } from '../../support/ledger-cluster.ts';
import { median, type Row } from '../row.ts';
import { sized } from '../sized.ts';
import { openAccounts } from './accounts.ts';
import { closedLoop, inOneCall, spread } from './transfers.ts';

const CALL_TIMEOUT_MS = 5000;
const ACCOUNTS = sized(500, 20);
const ROUNDS = sized(3, 1);
const CALLS_PER_SECOND = 50;
const SETTLE_MS = 4000;
const LEASE = 'florin:ledger:lease:florin_ledger:0';

/** A quarter of a core, in the kernel's terms. */
const QUOTA = { 'cpu.cfs_period_us': '100000', 'cpu.cfs_quota_us': '25000' };
const CONTROL_GROUPS = '/sys/fs/cgroup/cpu';

/** Groups of processes that may use a quarter of a core each, where this machine and user can make them. */
const openQuotas = (names: readonly string[]) => {
  const isPossible = existsSync(join(CONTROL_GROUPS, 'cpu.cfs_quota_us')) && process.getuid?.() === 0;
  const pathOf = (name: string): string => join(CONTROL_GROUPS, `florin-bench-${process.pid}-${name.replace(' ', '-')}`);
  for (const name of isPossible ? names : []) {
    mkdirSync(pathOf(name), { recursive: true });
    for (const [file, value] of Object.entries(QUOTA)) writeFileSync(join(pathOf(name), file), value);
  }
  return {
    share: isPossible ? 'a quarter of a core' : 'no limit of processor time',
    limit: ({ name, pid }: LedgerInstance): void => {
      if (isPossible) writeFileSync(join(pathOf(name), 'cgroup.procs'), String(pid()));
    },
    /** Lifts the limits of all, also of processes that are started later. */
    lift: (): void => {
      for (const name of isPossible ? names : []) writeFileSync(join(pathOf(name), 'cpu.cfs_quota_us'), '-1');
    },
    /** The kernel lets processes that have ended leave their group a moment later. */
    close: async (): Promise<void> => {
      const removed = (name: string): boolean => {
        try {
          rmdirSync(pathOf(name));
          return true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
          return false;
        }
      };
      for (const name of isPossible ? names : []) await waitFor(`${name} to leave its group`, async () => removed(name) || undefined);
    },
  };
};

const signal = ({ pid }: LedgerInstance, name: NodeJS.Signals): boolean => process.kill(pid() ?? 0, name);

/** A slow process runs for so long, and is suspended for so long, in turn. */
const SLOW = { runsMs: 10, restsMs: 490 };

/** Lets a process run for a fiftieth of the time. @returns a function that gives it all of it again */
const slowDown = (instance: LedgerInstance): (() => Promise<void>) => {
  let isSlow = true;
  const slow = async (): Promise<void> => {
    while (isSlow) {
      signal(instance, 'SIGSTOP');
      await pause(SLOW.restsMs);
      signal(instance, 'SIGCONT');
      await pause(SLOW.runsMs);
    }
  };
  const slowed = slow();
  return async () => {
    isSlow = false;
    await slowed;
  };
};

/** Sends entries at a constant rate, each once, until it is stopped. */
const keepSending = (client: EntriesClient, accounts: Parameters<typeof spread>[0]) => {
  const pairing = spread(accounts);
  const open = new Set<Promise<void>>();
  let [sent, failed, longestMs] = [0, 0, 0];
  const one = async (): Promise<void> => {
    const begun = performance.now();
    const [debit, credit] = pairing();
    const entry = { entryId: randomUUID(), transfers: [{ debit, credit, token: 'EURe', amount: '1' }] };
    const code = await client.create(entry, { timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined);
    if (code !== EntryResultCode.CREATED && code !== EntryResultCode.EXISTS) failed += 1;
    longestMs = Math.max(longestMs, performance.now() - begun);
  };
  const begun = performance.now();
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - begun) / 1000) * CALLS_PER_SECOND; sent += 1) {
      const running = one().finally(() => open.delete(running));
      open.add(running);
    }
  }, 1000 / CALLS_PER_SECOND);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    return { failed, longestMs };
  };
};

/** The longest call, those that failed, and the time until another process owns the shard, while the owner of the shard is stopped under a steady load, each process with a quarter of a core, or killed, suspended or slow. */
export const benchFailover = async (report: (line: string) => void): Promise<Row[]> => {
  const cluster = await openLedgerCluster({ instances: 2, respawn: false, callTimeoutMs: 60_000, report });
  const redis = await openRedis(cluster.engines.redisUrl, quietLogger);
  const quotas = openQuotas(cluster.instances.map(({ name }) => name));
  const channels = cluster.instances.map(({ url }) => createRpcChannel({ baseUrl: url, serviceToken: cluster.token }));
  try {
    const [first] = cluster.instances;
    if (first === undefined) throw new Error('no ledger');
    const accounts = await openAccounts(first, ACCOUNTS, report);
    const refund = { pairing: (): [string, string] => ['settlement', spread(accounts)()[0]], callers: 4, perCall: 1000, seconds: 10 };
    report('booking for ten seconds');
    await closedLoop(inOneCall(first.clients.entries), refund);
    for (const instance of cluster.instances) quotas.limit(instance);

    const ownership = async (): Promise<{ url: string }> => JSON.parse((await redis.get(LEASE)) ?? '{"url":""}');
    /** @param recover lets the owner go on; undefined when it has ended, and is to be started again */
    const measure = async (act: (owner: LedgerInstance) => Promise<unknown>, recover?: (owner: LedgerInstance) => unknown) => {
      const { url } = await waitFor('an owner', async () => ((await redis.get(LEASE)) === null ? undefined : ownership()));
      const owner = cluster.instances.find((one) => one.url === url);
      const channel = channels[cluster.instances.findIndex((one) => one.url !== url)];
      if (owner === undefined || channel === undefined) throw new Error('no owner');
      const stop = keepSending(createEntriesClient(channel), accounts);
      await pause(SETTLE_MS);
      const acted = performance.now();
      const acting = act(owner);
      await waitFor('another owner', async () => ![url, ''].includes((await ownership()).url) || undefined);
      const movedMs = performance.now() - acted;
      await acting;
      await pause(SETTLE_MS);
      const result = { ...(await stop()), movedMs };
      const [longest, moved] = [result.longestMs, movedMs].map(Math.round);
      report(`${result.failed} calls failed, the longest took ${longest} ms; another owner after ${moved} ms`);
      if (recover !== undefined) {
        await recover(owner);
        await pause(SETTLE_MS);
        return { ...result, startMs: 0 };
      }
      const again = keepSending(createEntriesClient(channel), accounts);
      const begun = performance.now();
      const started = owner.start();
      quotas.limit(owner);
      await started;
      const startMs = performance.now() - begun;
      await again();
      return { ...result, startMs };
    };
    const rows: Row[] = [];
    const repeated = async (name: string, ...[act, recover]: Parameters<typeof measure>): Promise<void> => {
      const results: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        report(`an owner is ${name}`);
        results.push(await measure(act, recover));
      }
      const longest = results.map(({ longestMs }) => longestMs);
      rows.push(
        { name: `${name}: longest call, median`, value: median(longest), unit: 'ms' },
        { name: `${name}: longest call, slowest`, value: Math.max(...longest), unit: 'ms' },
        { name: `${name}: until another owns the shard, slowest`, value: Math.max(...results.map(({ movedMs }) => movedMs)), unit: 'ms' },
        { name: `${name}: failed calls`, value: results.reduce((sum, { failed }) => sum + failed, 0), unit: 'calls' },
      );
      if (recover !== undefined) return;
      rows.push({ name: `${name}: start to ready`, value: median(results.map(({ startMs }) => startMs)), unit: 'ms' });
    };
    report(`each process has ${quotas.share}`);
    await repeated('stopped', (owner) => owner.stop());
    quotas.lift();
    await repeated('killed', (owner) => owner.stop('SIGKILL'));
    await repeated(
      'suspended',
      async (owner) => signal(owner, 'SIGSTOP'),
      (owner) => signal(owner, 'SIGCONT'),
    );
    let recover = async (): Promise<void> => undefined;
    await repeated(
      'slow',
      async (owner) => {
        recover = slowDown(owner);
      },
      () => recover(),
    );
    return rows;
  } finally {
    await Promise.all(channels.map(({ close }) => close()));
    redis.destroy();
    await cluster.close();
    await quotas.close();
  }
};
