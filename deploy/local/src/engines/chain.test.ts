import { describe, expect, it } from 'vitest';
import { type EngineChain, NoEngineError, startFirstUsable } from './chain.ts';
import type { Availability, EngineContext, EngineProvider } from './provider.ts';

const READY: Availability = { ok: true, ready: true };
const TO_FETCH: Availability = { ok: true, ready: false };

type Fake = { name: string; explicit?: boolean; availability: Availability | Error; failure?: Error };

/** The real chain's names and order, with everything that touches the machine replaced. */
function run(fakes: readonly Fake[], previous?: string): { started: string[]; reports: string[]; result: Promise<string> } {
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
        return { uri: `uri:${fake.name}`, describe: `${fake.name} runs`, pids: () => [], stop: async () => undefined };
      },
    }),
  );
  const chain: EngineChain = { engine: 'MongoDB', providers, remedy: 'install it.' };
  const context = { report: (line: string) => reports.push(line), signal: new AbortController().signal } as unknown as EngineContext;
  const result = startFirstUsable(chain, context, previous).then(({ running }) => running.uri);
  return { started, reports, result };
}

const no = (why: string): Availability => ({ ok: false, why });

type Machine = { env?: boolean; path?: boolean; internet?: boolean; downloaded?: boolean; go?: boolean; built?: boolean };

function machine({ env, path, internet, downloaded, go, built }: Machine): Fake[] {
  return [
    { name: 'env', explicit: true, availability: env === true ? READY : no('is not set') },
    { name: 'path', availability: path === true ? READY : no('there is none') },
    {
      name: 'download',
      availability: downloaded === true ? READY : TO_FETCH,
      ...(internet === true || downloaded === true ? {} : { failure: new Error('ENOTFOUND') }),
    },
    { name: 'ferretdb', availability: built === true ? READY : go === true ? TO_FETCH : no('needs Go') },
  ];
}

describe('the choice of a provider', () => {
  it.each<{ on: string; machine: Machine; tried: string[] }>([
    { on: 'a machine with the variable set', machine: { env: true, path: true, internet: true }, tried: ['env'] },
    { on: 'a machine with the program', machine: { path: true, internet: true, go: true, built: true }, tried: ['path'] },
    { on: 'internet and no Go', machine: { internet: true }, tried: ['download'] },
    { on: 'internet and Go', machine: { internet: true, go: true }, tried: ['download'] },
    { on: 'a closed network and Go', machine: { go: true }, tried: ['download', 'ferretdb'] },
    { on: 'a closed network where it was built before', machine: { go: true, built: true }, tried: ['ferretdb'] },
    { on: 'a machine that downloaded before', machine: { downloaded: true, go: true }, tried: ['download'] },
    { on: 'a machine that has both', machine: { downloaded: true, built: true }, tried: ['download'] },
  ])('$on: $tried', async ({ machine: where, tried }) => {
    const { started, result } = run(machine(where));
    await expect(result).resolves.toBe(`uri:${tried.at(-1)}`);
    expect(started).toEqual(tried);
  });

  it('stays with the provider that wrote the data, though one before it has become usable', async () => {
    const { started, result } = run(machine({ path: true, built: true }), 'ferretdb');
    await expect(result).resolves.toBe('uri:ferretdb');
    expect(started).toEqual(['ferretdb']);
  });

  it('lets the variable win over the data that is there', async () => {
    await expect(run(machine({ env: true, built: true }), 'ferretdb').result).resolves.toBe('uri:env');
  });

  it('replaces nothing that was asked for by name', async () => {
    const fakes = machine({ path: true, built: true });
    fakes[0] = { name: 'env', explicit: true, availability: READY, failure: new Error('nothing answers there') };
    const { started, result } = run(fakes, 'ferretdb');
    await expect(result).rejects.toThrow('env: nothing answers there');
    expect(started).toEqual(['env']);
  });

  it('says what was tried, each with its reason in the order of the chain, and the one thing to do', async () => {
    const error: unknown = await run(machine({})).result.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(NoEngineError);
    expect((error as Error).message).toBe(
      [
        'No MongoDB could be provided. Tried:',
        '  - env: is not set',
        '  - path: there is none',
        '  - download: ENOTFOUND',
        '  - ferretdb: needs Go',
        'What to do: install it.',
      ].join('\n'),
    );
  });

  it('reports each step in a line', async () => {
    const { reports, result } = run(machine({ go: true }));
    await result;
    expect(reports).toEqual(['download does not work here: ENOTFOUND', 'ferretdb runs']);
  });

  it('takes a provider that cannot tell whether it is usable as not usable', async () => {
    const { result } = run([
      { name: 'broken', availability: new Error('EACCES') },
      { name: 'next', availability: READY },
    ]);
    await expect(result).resolves.toBe('uri:next');
  });
});
