import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { pythonTools } from '../support/python.ts';
import { createCard, registerPerson } from '../support/story.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = join(ROOT, 'docs/platform-services.md');
const BUF = join(ROOT, 'node_modules/.bin/buf');
const MODULE = join(ROOT, 'proto/go');

/** Fetching and building the generators and gRPC the first time. */
const BUILD_MS = 400_000;
const RUN_MS = 90_000;

/** Those that build the package begin; the others are what its README installs. */
const PYTHON = [
  'grpcio-tools==1.76.0',
  'hatchling==1.33.0',
  'build==1.3.0',
  'grpcio-status==1.76.0',
  'pyjwt==2.15.1',
  'cryptography==50.0.2',
] as const;
const PYTHON_PACKAGE = join(ROOT, 'proto/python');

const report = (line: string) => void process.stdout.write(`${line}\n`);
const env = processEnvironment();
const go = findGo(env);

type ErrorSeen = { status: string; reason: string; metadata: Record<string, string> };
type Seen = {
  watcher: { depositId: string; sameOnRepeat: boolean; status: string };
  acs: { challengeId: string; sameOnRepeat: boolean; sameByReference: boolean; listed: boolean; watched: string[]; resumed: string[] };
  ledger: { created: string[]; repeated: string[]; before: string; after: string; watched: string[] };
  errors: Record<string, ErrorSeen>;
};

let folder: string;
let platform: PlatformInProcess;
/** Of a person with this card. */
let token: string;
let cardId: string;
let seen: Seen | undefined;
let why = 'Go is not available';

/** Fetches the modules and the generators. */
const fetchModules = async (command: string): Promise<void> => {
  const template = await readFile(join(MODULE, 'buf.gen.yaml'), 'utf8');
  const run = (args: string[]) => runStep({ command, args, cwd: folder, env, timeoutMs: BUILD_MS });
  for (const name of ['go.mod', 'go.sum']) await cp(join(MODULE, name), join(folder, name));
  await run(['mod', 'download']);
  for (const [, plugin = ''] of template.matchAll(/\[go, run, (\S+)\]/g)) await run(['run', plugin, '--version']);
};

/** Generates the contracts' code into a copy of the program's module, with the guide's function that signs tokens. */
const prepare = async (): Promise<void> => {
  await cp(join(import.meta.dirname, 'go'), folder, { recursive: true });
  const template = join(MODULE, 'buf.gen.yaml');
  await runStep({ command: BUF, args: ['generate', 'proto', '--template', template, '-o', folder], cwd: ROOT, env, timeoutMs: BUILD_MS });
  const [, sample = ''] = /^```go\n([\s\S]*?)^```/m.exec(await readFile(GUIDE, 'utf8')) ?? [];
  await writeFile(join(folder, 'cmd/platform-service/sample.go'), sample.replace('func main() {', 'func printToken() {'));
};

/** Host and port of a service. */
const hostOf = (name: string): string => new URL(platform.urls[name] ?? '').host;

const play = async (command: string): Promise<Seen> => {
  const account = await platform.api.call<{ id: string; chain: { id: string } }>('GET', '/user/account', { token });
  const config = {
    key: platform.operatorKey,
    threeds: hostOf('THREEDS_URL'),
    ledger: hostOf('LEDGER_URL'),
    cardId,
    accountId: account.id,
    chainId: Number(account.chain.id),
    token: 'EURe',
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  return JSON.parse(await runStep({ command, args: ['config.json'], cwd: folder, env, timeoutMs: RUN_MS })) as Seen;
};

beforeAll(async () => {
  platform = await startPlatformInProcess();
  ({ token } = await registerPerson(platform.api));
  cardId = await createCard(platform.api, token);
  folder = await mkdtemp(join(tmpdir(), 'florin-go-'));
  if (go === undefined) return report(`Go program: ${why}`);
  const program = join(folder, 'platform-service');
  try {
    await fetchModules(go);
  } catch (error) {
    why = `the Go generators or modules cannot be fetched: ${(error as Error).message}`;
    return report(`Go program: ${why}`);
  }
  await prepare();
  await runStep({ command: go, args: ['build', './...'], cwd: folder, env, timeoutMs: BUILD_MS });
  await runStep({ command: go, args: ['build', '-o', program, './cmd/platform-service'], cwd: folder, env, timeoutMs: BUILD_MS });
  seen = await play(program);
}, BUILD_MS + RUN_MS);
afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

const resultOf = <K extends keyof Seen>(part: K, { skip }: TestContext): Seen[K] => (seen === undefined ? skip(why) : seen[part]);

describe('a Go program that is generated from the contracts', () => {
  it('watches a chain', (context) => {
    expect(resultOf('watcher', context)).toMatchObject({ sameOnRepeat: true, status: 'DEPOSIT_STATUS_APPROVED' });
  });

  it('raises, finds, follows and cancels a challenge', (context) => {
    expect(resultOf('acs', context)).toMatchObject({
      sameOnRepeat: true,
      sameByReference: true,
      listed: true,
      watched: ['CHALLENGE_STATUS_PENDING', 'CHALLENGE_STATUS_CANCELLED'],
      resumed: ['CHALLENGE_STATUS_CANCELLED'],
    });
  });

  it('moves money and follows the journal', (context) => {
    expect(resultOf('ledger', context)).toEqual({
      created: ['CREATED', 'CREATED', 'INSUFFICIENT_FUNDS', 'AMOUNT_INVALID'],
      repeated: ['EXISTS', 'EXISTS', 'INSUFFICIENT_FUNDS', 'AMOUNT_INVALID'],
      before: '100000000000000000000',
      after: '97000000000000000000',
      watched: ['TRANSFER', 'HOLD_CREATED', 'HOLD_POSTED'],
    });
  });

  it('reads the reason of every error', (context) => {
    const errors = resultOf('errors', context);
    expect(errors).toMatchObject({
      'no token': { status: 'Unauthenticated', reason: 'UNAUTHORIZED', metadata: { tokenProblem: 'missing' } },
      'invalid fields': { status: 'InvalidArgument', reason: 'VALIDATION_FAILED' },
      'reference with other content': { status: 'AlreadyExists', reason: 'IDEMPOTENCY_KEY_REUSED', metadata: { field: 'reference' } },
      'deadline of ten minutes': { status: 'InvalidArgument', reason: 'INVALID_DEADLINE', metadata: { maxMs: '60000' } },
      'port of another service': { status: 'Unimplemented', reason: 'RPC_NOT_FOUND' },
      'largest batch': { status: 'ResourceExhausted', reason: 'PAYLOAD_TOO_LARGE', metadata: { maxBytes: '1048576' } },
    });
    const violations = JSON.parse(errors['invalid fields']?.metadata['violations'] ?? '') as { field: string }[];
    expect(violations.map(({ field }) => field).sort()).toEqual(['currency', 'merchant.display_name']);
  });
});

describe('the Python package of the contracts', () => {
  it('is built as a wheel, can be imported, and its README runs', { timeout: BUILD_MS + RUN_MS }, async ({ skip }) => {
    const python = await pythonTools(PYTHON, report);
    if (python === undefined) return skip('Python is not available');
    const site = join(folder, 'site');
    const run = (args: string[], more: NodeJS.ProcessEnv = {}) =>
      runStep({
        command: join(python, 'python'),
        args,
        cwd: folder,
        env: { PATH: env['PATH'], HOME: folder, ...more },
        timeoutMs: BUILD_MS,
      });
    await run(['-m', 'build', '--no-isolation', '--wheel', '--outdir', folder, PYTHON_PACKAGE]);
    await run(['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', site, join(folder, 'florin-0.1.0-py3-none-any.whl')]);
    const importAll = [
      'import importlib, pathlib',
      'files = sorted(pathlib.Path("site").rglob("*_pb2*.py"))',
      'for file in files: importlib.import_module(".".join(file.relative_to("site").with_suffix("").parts))',
      'print(len(files), "modules")',
    ].join('\n');
    expect(await run(['-c', importAll], { PYTHONPATH: site })).toMatch(/^\d{3} modules/);

    const readme = await readFile(join(PYTHON_PACKAGE, 'README.md'), 'utf8');
    await writeFile(join(folder, 'readme.py'), [...readme.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, text]) => text).join('\n'));
    const output = await run(['readme.py'], {
      PYTHONPATH: site,
      FLORIN_KEY: JSON.stringify(platform.operatorKey),
      FLORIN_THREEDS: hostOf('THREEDS_URL'),
      FLORIN_CARD: cardId,
    });
    expect(output.trim().split('\n')).toEqual([
      'the same on a repeat: True',
      'CHALLENGE_STATUS_PENDING',
      'CHALLENGE_STATUS_CANCELLED',
      'ALREADY_EXISTS IDEMPOTENCY_KEY_REUSED reference',
    ]);
  });
});
