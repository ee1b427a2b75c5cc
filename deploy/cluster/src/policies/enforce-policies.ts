import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runStep } from '@florin/local';
import type { KubeApi } from '../api.ts';
import type { StateDir } from '../layout.ts';
import type { ClusterNode } from '../nodes/node.ts';
import { type Report, reasonOf } from '../report.ts';
import type { Meta, NamespaceObject, PodObject, PolicyObject } from './objects.ts';
import { renderRules } from './render-rules.ts';

/** Changes that come together, as with a rollout, are applied together. */
const SETTLE_MS = 20;
const RETRY_MS = 500;
const APPLY_TIMEOUT_MS = 10_000;

type Listed<T> = { metadata: { resourceVersion: string }; items: T[] };
type Kind<T> = { path: string; objects: Map<string, T> };

const keyOf = ({ namespace, name }: Meta): string => `${namespace}/${name}`;

/**
 * Enforces NetworkPolicies, which the plugin of the pods' network does not: follows pods, policies and namespaces, and keeps the packet filter of every
 * node up to date. A pod is isolated as soon as the API knows its address, which is before it is ready.
 */
export const enforcePolicies = (
  nodes: readonly ClusterNode[],
  { api, state, env, report, signal }: { api: KubeApi; state: StateDir; env: NodeJS.ProcessEnv; report: Report; signal: AbortSignal },
): void => {
  const pods: Kind<PodObject> = { path: '/api/v1/pods', objects: new Map() };
  const policies: Kind<PolicyObject> = { path: '/apis/networking.k8s.io/v1/networkpolicies', objects: new Map() };
  const namespaces: Kind<NamespaceObject> = { path: '/api/v1/namespaces', objects: new Map() };
  const file = join(state.path, 'network-policies.nft');
  let [wanted, applied, isApplying, text] = [0, 0, false, ''];

  const applyOnce = async (): Promise<void> => {
    const rendered = renderRules({
      pods: [...pods.objects.values()],
      policies: [...policies.objects.values()],
      namespaces: [...namespaces.objects.values()],
    });
    if (rendered === text) return;
    writeFileSync(file, rendered);
    const runs = nodes.map(({ inside }) => {
      const [command, ...args] = inside('nft', '-f', file);
      return runStep({ command, args, env, timeoutMs: APPLY_TIMEOUT_MS });
    });
    await Promise.all(runs);
    text = rendered;
  };
  const changed = async (): Promise<void> => {
    wanted += 1;
    if (isApplying) return;
    isApplying = true;
    while (applied < wanted && !signal.aborted) {
      await sleep(SETTLE_MS);
      const version = wanted;
      try {
        await applyOnce();
        applied = version;
      } catch (error) {
        report(`network policies could not be applied: ${reasonOf(error)}`);
        await sleep(RETRY_MS);
      }
    }
    isApplying = false;
  };

  const follow = async <T extends { metadata: Meta }>({ path, objects }: Kind<T>): Promise<void> => {
    while (!signal.aborted) {
      try {
        const { metadata, items } = await api.get<Listed<T>>(path);
        objects.clear();
        for (const item of items) objects.set(keyOf(item.metadata), item);
        void changed();
        await api.watch<T>(
          `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`,
          ({ type, object }) => {
            if (type === 'DELETED') objects.delete(keyOf(object.metadata));
            else if (type === 'ADDED' || type === 'MODIFIED') objects.set(keyOf(object.metadata), object);
            void changed();
          },
          signal,
        );
      } catch (error) {
        if (signal.aborted) return;
        report(`following ${path} failed: ${reasonOf(error)}`);
        await sleep(RETRY_MS);
      }
    }
  };
  void follow(pods);
  void follow(policies);
  void follow(namespaces);
};
