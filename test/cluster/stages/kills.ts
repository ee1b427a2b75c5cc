import { openRedis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { auditJournal, auditLife } from '../../faults/audit.ts';
import { type Life, live } from '../../faults/life.ts';
import { createPersistentClient } from '../../faults/persistent-client.ts';
import { fromOwnAddress } from '../../support/customer-address.ts';
import { registerPerson } from '../../support/story.ts';
import { killPod, processPods } from '../pods.ts';
import type { Deployment, Stage } from './stage.ts';

const KILLS = 20;
const PEOPLE = 2;
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
const BETWEEN_MS = 1000;

/** In milliseconds, from the deletion of the owner's pod to the next entry. */
const MAX_RECOVERY_MS = 10_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Pods that are to stay: those that are ending belong to a roll before. */
const standing = async ({ cluster }: Deployment): Promise<number> => (await processPods(cluster)).filter(({ ending }) => !ending).length;

/** Waits until every process has as many ready pods as it had. @returns how long it took */
const recovered = async ({ cluster }: Deployment, wanted: number): Promise<number> => {
  const begun = Date.now();
  for (;;) {
    const pods = await processPods(cluster);
    if (pods.filter(({ ready }) => ready).length >= wanted && pods.every(({ ending }) => !ending)) return Date.now() - begun;
    if (Date.now() - begun > READY_TIMEOUT_MS) {
      const missing = pods.filter(({ ready }) => !ready).map(({ name }) => name);
      throw new Error(`after ${READY_TIMEOUT_MS / 1000} s these pods are not ready: ${missing.join(', ')}`);
    }
    await pause(POLL_MS);
  }
};

/** Any pods are killed while users repeat their story, with clients that repeat what was not answered: nothing is lost or doubled. */
export const kills: Stage = {
  name: 'kills',
  run: async (deployment) => {
    const { cluster, url, report } = deployment;
    const api = createPersistentClient(url);
    const [lives, problems]: [Life[], string[]] = [[], []];
    let over = false;
    const loop = async (): Promise<void> => {
      while (!over) {
        try {
          const life = await live(fromOwnAddress(api));
          if (life !== undefined) lives.push(life);
        } catch (error) {
          problems.push(`unexpected response: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    };
    const loops = Array.from({ length: PEOPLE }, loop);
    const wanted = await standing(deployment);
    const [times, killed]: [number[], Record<string, number>] = [[], {}];
    for (let count = 0; count < KILLS; count += 1) {
      const pods = (await processPods(cluster)).filter(({ ready }) => ready);
      const victim = pods[Math.floor(Math.random() * pods.length)];
      if (victim === undefined) continue;
      await killPod(cluster, victim);
      killed[victim.process] = (killed[victim.process] ?? 0) + 1;
      times.push(await recovered(deployment, wanted));
      await pause(BETWEEN_MS);
    }
    over = true;
    await Promise.all(loops);
    for (const life of lives) problems.push(...(await auditLife(api, life)));
    const journal = await auditJournal(cluster.engines);
    times.sort((a, b) => a - b);
    report(`${KILLS} pods killed: ${JSON.stringify(killed)}`);
    report(
      `all pods ready again after ${seconds(times[Math.floor(times.length / 2)] ?? 0)} (median), ${seconds(times.at(-1) ?? 0)} (slowest)`,
    );
    report(`${lives.length} stories, ${api.repeats()} repeated requests; ${journal.summary}`);
    if (lives.length === 0) problems.push('nobody completed the story, so nothing was verified');
    return [...problems, ...journal.problems];
  },
};

/** The pod that owns the shard of the journal, from the lease in Redis. */
const ownerPod = async (redisUrl: string): Promise<string> => {
  const redis = await openRedis(redisUrl, quietLogger);
  try {
    for await (const keys of redis.scanIterator({ MATCH: 'florin:ledger:lease:*' })) {
      for (const key of keys) {
        const lease = JSON.parse((await redis.get(key)) ?? '{}') as { url?: string };
        const [pod = ''] = new URL(lease.url ?? '').hostname.split('.');
        if (pod.startsWith('ledger-')) return pod;
      }
    }
    throw new Error('no instance of the ledger owns the journal');
  } finally {
    redis.destroy();
  }
};

/** The pod of the ledger that owns the journal is deleted at once: the other one takes over. */
export const ownerDeleted: Stage = {
  name: 'owner',
  run: async (deployment) => {
    const { cluster, url, api, report } = deployment;
    const { token } = await registerPerson(fromOwnAddress(api));
    const client = createPersistentClient(url);
    const deposit = (): Promise<unknown> => client.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: '1' } });
    await deposit();
    const name = await ownerPod(cluster.engines.redisUrl);
    const pods = await processPods(cluster);
    const [owner, wanted] = [pods.find((pod) => pod.name === name), await standing(deployment)];
    if (owner === undefined) return [`${name} owns the journal, and there is no such pod`];
    const begun = Date.now();
    await killPod(cluster, owner);
    await deposit();
    const took = Date.now() - begun;
    report(`${name}, the owner of the journal, was killed and deleted: the next entry was stored after ${seconds(took)}`);
    await recovered(deployment, wanted);
    const { problems } = await auditJournal(cluster.engines);
    return took <= MAX_RECOVERY_MS
      ? problems
      : [...problems, `entries were stored again after ${seconds(took)}, not within ${seconds(MAX_RECOVERY_MS)}`];
  },
};
