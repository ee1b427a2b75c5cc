import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/src/config.ts';
import { ensureKeys, NODE_FLAGS } from '../../deploy/local/src/index.ts';
import { type SecretFiles, secretFiles, toManifests } from '../../deploy/local/src/secret-files.ts';
import { run } from '../run.ts';
import { buildOverlay, OVERLAYS } from './build-overlay.ts';
import { secretsOf, workloadsOf } from './manifest.ts';
import { environmentOf, isRequired, SHAPES } from './policies/configuration.ts';
import type { Overlay } from './policies/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dockerfile = read('deploy/docker/Dockerfile');

const SECRETS = '/run/secrets/florin/';
let directory: string;
let secrets: SecretFiles;
let overlays: Record<string, Overlay>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-secrets-'));
  const keys = await ensureKeys(directory);
  secrets = secretFiles(PROCESS_NAMES, keys, { mongodbUri: 'mongodb://x', redisUrl: 'redis://x' }, (path) => readFileSync(path, 'utf8'));
  const built = OVERLAYS.map(async (one) => [one.name, (await buildOverlay(one, () => undefined)).overlay] as const);
  overlays = Object.fromEntries(await Promise.all(built));
}, 600_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the image', () => {
  it('installs the dependencies of every workspace that it contains', async () => {
    const { output } = await run('git', ['ls-files', '*/package.json']);
    const workspaces = output
      .split('\n')
      .filter((path) =>
        /^(proto|gateway(\/[a-z-]+)*|deploy\/(local|cluster|image)|test|services\/(kit\/)?[a-z]+)\/package\.json$/.test(path),
      );
    const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, directory]) => `${directory}/package.json`);
    expect(workspaces.length).toBeGreaterThan(8);
    expect(copied.sort()).toEqual(workspaces.sort());
  });

  it.each(PROCESS_NAMES)('contains the dependencies of %s', (name) => {
    // Webhooks are delivered by a second process of the package events.
    const others: Partial<Record<ProcessName, string>> = {
      gateway: 'gateway',
      webhooks: 'services/events',
      'back-office': 'gateway/back-office',
    };
    const workspace = others[name] ?? `services/${name}`;
    expect(dockerfile).toContain(`--workspace=${workspace} `);
  });

  it('names its bases by digest, and runs the Node.js that it is built and tested with', () => {
    const bases = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, base = '']) => base);
    expect(bases.length).toBe(2);
    for (const base of bases) expect(base).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    expect(bases[0]).toContain(`/node:${devDependencies['node']}-`);
    expect(dockerfile).toContain('\nCOPY --from=build --chown=0:0 /usr/local/bin/node /nodejs/bin/node\n');
  });

  it('starts processes that no signal opens a debugger in', () => {
    expect(dockerfile).toContain('\nENTRYPOINT ["/nodejs/bin/node", "--disable-sigusr1"]\n');
  });

  it('is built from the settings that those of the pages extend', () => {
    const { extends: base } = JSON.parse(read('gateway/ui/tsconfig.json')) as { extends: string };
    const path = relative(ROOT, resolve(ROOT, 'gateway/ui', base));
    expect(dockerfile).toContain(`\nCOPY ${path} ./\n`);
    expect(read('.dockerignore').split('\n')).toContain(`!${path}`);
  });

  it('does not run as root, and its bases have versions', () => {
    expect(dockerfile.match(/^USER .*$/gm)).toEqual(['USER 65532:65532']);
    const bases = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, image = '']) => image.split(':').at(-1));
    expect(bases).toHaveLength(2);
    expect(bases).not.toContain('latest');
  });
});

type ComposeService = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
  volumes?: string[];
  ports?: string[];
};
const compose = parse(read('deploy/docker/compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> };

const missingOf = (name: ProcessName, given: Iterable<string>): string[] => {
  const names = new Set([...given].map((variable) => variable.replace(/_FILE$/, '')));
  return Object.keys(SHAPES[name]).filter((variable) => isRequired(SHAPES[name][variable]) && !names.has(variable));
};

const argsOf = (overlay: Overlay | undefined, name: string): string[] =>
  workloadsOf(overlay?.manifests ?? []).find((workload) => workload.name === name)?.pod.containers[0]?.args ?? [];

describe.each(PROCESS_NAMES)('%s', (name) => {
  it('runs with the same arguments in a cluster, under compose and, but for its heap, on one machine', () => {
    const args = argsOf(overlays['sandbox'], name);
    expect(compose.services[name]?.command).toEqual(args);
    // The image has JavaScript in the place of each process's TypeScript.
    expect(existsSync(join(ROOT, args.at(-1)?.replace(/\.js$/, '.ts') ?? ''))).toBe(true);
    expect(args).toEqual(expect.arrayContaining([...(NODE_FLAGS[name] ?? [])]));
  });

  it('is restricted under compose, and has the variables that it requires', () => {
    const service = compose.services[name];
    expect(service).toMatchObject({ read_only: true, user: '65532:65532', cap_drop: ['ALL'] });
    expect(missingOf(name, Object.keys(service?.environment ?? {}))).toEqual([]);
  });

  it('finds each of its secrets in the files that k8s-secrets makes', () => {
    const workload = workloadsOf(overlays['sandbox']?.manifests ?? []).find((one) => one.name === name);
    if (workload === undefined) throw new Error(`there is no ${name}`);
    const inCluster = environmentOf(overlays['sandbox']?.manifests ?? [], workload);
    const underCompose = new Map(Object.entries(compose.services[name]?.environment ?? {}));
    for (const environment of [inCluster, underCompose]) {
      const files = [...environment]
        .filter(([variable, value]) => value.startsWith(SECRETS) && variable.replace(/_FILE$/, '') in SHAPES[name])
        .map(([, value]) => value.slice(SECRETS.length));
      expect(files).toContain('service-key.json');
      expect(Object.keys(secrets.processes[name] ?? {})).toEqual(expect.arrayContaining(files));
    }
  });

  it('has only secrets in production whose files are documented', () => {
    const production = overlays['production'];
    const workload = workloadsOf(production?.manifests ?? []).find((one) => one.name === name);
    const environment = workload === undefined ? [] : [...environmentOf(production?.manifests ?? [], workload)];
    const files = environment.flatMap(([, value]) => (value.startsWith(SECRETS) ? [value.slice(SECRETS.length)] : []));
    const documented = read('deploy/k8s/README.md');
    expect(files.filter((file) => !documented.includes(`\`${file}\``))).toEqual([]);
  });
});

describe('compose', () => {
  it('publishes the gateway and the back office only, on the loopback interface, and pins every image', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['gateway 127.0.0.1:8080:8080', 'back-office 127.0.0.1:8090:8090']);
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:[0-9][\w.-]+$/);
  });
});

describe('the manifests of secrets', () => {
  it('name one Secret for each process, with nothing of another process, and the public trust list', () => {
    const { items } = toManifests('florin', secrets) as {
      items: { kind: string; metadata: { name: string }; stringData?: Record<string, string> }[];
    };
    const workloads = workloadsOf(overlays['sandbox']?.manifests ?? []);
    const mounted = workloads.flatMap(({ pod }) => (pod.volumes ?? []).flatMap(secretsOf));
    expect(
      items
        .filter(({ kind }) => kind === 'Secret')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(mounted.sort());
    const vaultKeys = secrets.processes['vault']?.['vault-master.keys.json'] ?? 'none';
    const holders = items.filter(({ stringData }) => Object.values(stringData ?? {}).includes(vaultKeys));
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['vault-secrets']);
    expect(JSON.stringify(secrets.trust)).not.toContain('\\"d\\"');
  });
});
