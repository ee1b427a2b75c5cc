import { openRedis } from '@florin/data/redis';
import { quietLogger } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { auditJournal, auditLives } from '../../faults/audit.ts';
import { openPeople } from '../../faults/people.ts';
import { createPersistentClient } from '../../faults/persistent-client.ts';
import { fromOwnAddress } from '../../support/customer-address.ts';
import { registerPerson } from '../../support/story.ts';
import { killPod, processPods } from '../pods.ts';
import { recovered, standing } from './recovered.ts';
import type { Stage } from './stage.ts';

const KILLS = 20;
const PEOPLE = 2;
const BETWEEN_MS = 1000;

/** In milliseconds, from the deletion of the owner's pod to the next entry. */
const MAX_RECOVERY_MS = 10_000;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Any pods are killed while users repeat their story, with clients that repeat what was not answered: nothing is lost or doubled. */
export const kills: Stage = {
  name: 'kills',
  run: async (deployment) => {
    const { cluster, url, report } = deployment;
    const api = createPersistentClient(url);
    const people = openPeople(api, PEOPLE);
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
    const { lives, problems } = await people.stop();
    problems.push(...(await auditLives(api, lives)));
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
