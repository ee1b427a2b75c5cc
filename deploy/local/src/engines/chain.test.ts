import { describe, expect, it } from 'vitest';
import { type EngineChain, NoEngineError, startFirstUsable } from './chain.ts';
import type { Availability, EngineContext, EngineProvider } from './provider.ts';

const READY: Availability = { ok: true, ready: true };
const TO_FETCH: Availability = { ok: true, ready: false };

type Fake = { name: string; explicit?: boolean; availability: Availability | Error; failure?: Error };

/** Runs the choice over providers that do not touch the machine. */
const run = (fakes: readonly Fake[], previous?: string): { started: string[]; reports: string[]; result: Promise<string> } => {
  const started: string[] = [];
  const reports: string[] = [];
  const providers = fakes.map(
    (fake): EngineProvider => ({
      name: fake.name,
      ...(fake.explicit === undefined ? {} : { explicit: fake.explicit }),
      available: async () => {
        if (fake.availability instanceof Error) throw fake.availability;
        return fake.availability;
      },
      start: async () => {
        started.push(fake.name);
        if (fake.failure !== undefined) throw fake.failure;
        return { uri: `uri:${fake.name}`, description: `${fake.name} runs`, pids: () => [], stop: async () => undefined };
      },
    }),
  );
  const chain: EngineChain = { engine: 'MongoDB', providers, remedy: 'install it.' };
  const context = { report: (line: string) => reports.push(line), signal: new AbortController().signal } as unknown as EngineContext;
  const result = startFirstUsable(chain, context, previous).then(({ running }) => running.uri);
  return { started, reports, result };
};

const no = (why: string): Availability => ({ ok: false, why });

type Machine = { env?: boolean; path?: boolean; internet?: boolean; downloaded?: boolean; go?: boolean; built?: boolean };

const machine = ({ env, path, internet, downloaded, go, built }: Machine): Fake[] => {
  return [
    { name: 'env', explicit: true, availability: env === true ? READY : no('not set') },
    { name: 'path', availability: path === true ? READY : no('not found') },
    {
      name: 'download',
      availability: downloaded === true ? READY : TO_FETCH,
      ...(internet === true || downloaded === true ? {} : { failure: new Error('ENOTFOUND') }),
    },
    { name: 'ferretdb', availability: built === true ? READY : go === true ? TO_FETCH : no('requires Go') },
  ];
};

describe('the choice of a provider', () => {
  it.each<{ on: string; machine: Machine; tried: string[] }>([
    { on: 'with the variable set', machine: { env: true, path: true, internet: true }, tried: ['env'] },
    { on: 'with the program installed', machine: { path: true, internet: true, go: true, built: true }, tried: ['path'] },
    { on: 'with internet access, without Go', machine: { internet: true }, tried: ['download'] },
    { on: 'with internet access and Go', machine: { internet: true, go: true }, tried: ['download'] },
    { on: 'without internet access, with Go', machine: { go: true }, tried: ['download', 'ferretdb'] },
    { on: 'without internet access, after an earlier build', machine: { go: true, built: true }, tried: ['ferretdb'] },
    { on: 'after an earlier download', machine: { downloaded: true, go: true }, tried: ['download'] },
    { on: 'after an earlier download and an earlier build', machine: { downloaded: true, built: true }, tried: ['download'] },
  ])('tries $tried $on', async ({ machine: where, tried }) => {
    const { started, result } = run(machine(where));
    await expect(result).resolves.toBe(`uri:${tried.at(-1)}`);
    expect(started).toEqual(tried);
  });

  it('prefers the provider that wrote the existing data', async () => {
    const { started, result } = run(machine({ path: true, built: true }), 'ferretdb');
    await expect(result).resolves.toBe('uri:ferretdb');
    expect(started).toEqual(['ferretdb']);
  });

  it('prefers the variable over existing data', async () => {
    await expect(run(machine({ env: true, built: true }), 'ferretdb').result).resolves.toBe('uri:env');
  });

  it('does not replace an explicit provider that fails', async () => {
    const fakes = machine({ path: true, built: true });
    fakes[0] = { name: 'env', explicit: true, availability: READY, failure: new Error('connection refused') };
    const { started, result } = run(fakes, 'ferretdb');
    await expect(result).rejects.toThrow('env: connection refused');
    expect(started).toEqual(['env']);
  });

  it('fails with every provider and its reason in the order of the chain, and a remedy', async () => {
    const error: unknown = await run(machine({})).result.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(NoEngineError);
    expect((error as Error).message).toBe(
      [
        'MongoDB could not be started. Tried:',
        '  - env: not set',
        '  - path: not found',
        '  - download: ENOTFOUND',
        '  - ferretdb: requires Go',
        'To fix this, install it.',
      ].join('\n'),
    );
  });

  it('reports each step in one line', async () => {
    const { reports, result } = run(machine({ go: true }));
    await result;
    expect(reports).toEqual(['download: not available (ENOTFOUND)', 'ferretdb runs']);
  });

  it('skips a provider whose availability check fails', async () => {
    const { result } = run([
      { name: 'broken', availability: new Error('EACCES') },
      { name: 'next', availability: READY },
    ]);
    await expect(result).resolves.toBe('uri:next');
  });
});
