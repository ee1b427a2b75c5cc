import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeDocument } from '@florin/gateway/document';
import { cacheDir, ensureGoProgram, findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { pythonTools } from '../support/python.ts';

const PYTHON = ['openapi-spec-validator==0.9.0', 'datamodel-code-generator==0.89.0', 'pydantic==2.14.4', 'email-validator==2.4.0'] as const;
const OAPI_CODEGEN = {
  title: 'oapi-codegen',
  program: 'oapi-codegen',
  module: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
  version: '2.8.2',
};
const OPENAPI_GENERATOR = { artifact: 'org.openapitools:openapi-generator-cli', version: '7.25.0' };

/** Fetching and building the tools the first time. */
const INSTALL_MS = 900_000;
const RUN_MS = 600_000;

const env = processEnvironment();
const go = findGo(env);
const report = (line: string) => void process.stdout.write(`${line}\n`);

/** Returns undefined, after one line that says why, where a tool cannot be had. */
const tool = async <T>(name: string, get: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await get();
  } catch (error) {
    report(`${name} is not available: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return undefined;
  }
};

/** Runs the Maven of this machine, with a repository of its own in `folder`. */
const maven = (folder: string, args: string[]): Promise<string> =>
  runStep({
    command: 'mvn',
    args: ['-q', '-B', `-Dmaven.repo.local=${join(folder, 'repository')}`, ...args],
    cwd: folder,
    env,
    timeoutMs: INSTALL_MS,
  });

/** The generator in one file. */
const openapiGenerator = async (): Promise<string> => {
  const { artifact, version } = OPENAPI_GENERATOR;
  const folder = join(cacheDir(env), `openapi-generator-${version}`);
  const file = join(folder, `openapi-generator-cli-${version}.jar`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  report(`fetching ${artifact} ${version} with Maven (once)`);
  await maven(folder, ['dependency:copy', `-Dartifact=${artifact}:${version}`, `-DoutputDirectory=${folder}`]);
  return file;
};

let folder: string;
let python: string | undefined;
let oapiCodegen: string | undefined;
let generator: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-document-'));
  const document = JSON.stringify(wholeDocument());
  await writeFile(join(folder, 'openapi.json'), document);
  // As the guide says for openapi-generator.
  const { webhooks: _webhooks, ...rest } = JSON.parse(document) as Record<string, unknown>;
  await writeFile(join(folder, 'renamed.json'), JSON.stringify(rest).replaceAll('"3DS"', '"ThreeDS"'));
  python = await pythonTools(PYTHON, report);
  oapiCodegen = await tool('oapi-codegen', async () => {
    const context = { cacheDir: cacheDir(env), env, report, signal: AbortSignal.timeout(INSTALL_MS) };
    return join(await ensureGoProgram(OAPI_CODEGEN, context), OAPI_CODEGEN.program);
  });
  generator = await tool('openapi-generator', openapiGenerator);
}, 3 * INSTALL_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (command: string, args: string[], cwd = folder) => runStep({ command, args, cwd, env, timeoutMs: RUN_MS });

const orSkip = <T>(found: T | undefined, { skip }: TestContext): T => found ?? skip('the tool is not available');

/** Clients of openapi-generator, in one run of Java: most of a run is its start, and the compiler that makes it faster later. */
const LANGUAGES = ['python', 'kotlin'] as const;
const JAVA_FLAGS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto'];

/** Generates the clients, each in a directory of its name. */
const generateAll = async (jar: string): Promise<void> => {
  const files = await Promise.all(
    LANGUAGES.map(async (language) => {
      const file = join(folder, `${language}.json`);
      const client = { inputSpec: join(folder, 'renamed.json'), generatorName: language, outputDir: join(folder, language) };
      await writeFile(file, JSON.stringify(client));
      return file;
    }),
  );
  const output = await run('java', [...JAVA_FLAGS, '-jar', jar, 'batch', '--fail-fast', ...files]);
  expect(output).not.toContain('Duplicate file path');
};

describe('the document', { timeout: RUN_MS }, () => {
  it('is valid for openapi-spec-validator', async (context) => {
    expect(await run(join(orSkip(python, context), 'openapi-spec-validator'), ['openapi.json'])).toContain('OK');
  });

  it('makes models with datamodel-code-generator that can be imported', async (context) => {
    const programs = orSkip(python, context);
    const args = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel', '--output', 'models.py'];
    await run(join(programs, 'datamodel-codegen'), ['--input', 'openapi.json', ...args]);
    const check = 'import models; print(models.Card.model_fields["last4"].annotation is not None)';
    expect(await run(join(programs, 'python'), ['-c', check])).toContain('True');
  });

  it('makes a client with oapi-codegen that compiles', async (context) => {
    const program = orSkip(oapiCodegen, context);
    const target = join(folder, 'oapi');
    await mkdir(target);
    await run(program, ['-generate', 'types,client', '-package', 'client', '-o', join(target, 'client.go'), 'openapi.json']);
    await run(orSkip(go, context), ['mod', 'init', 'client'], target);
    // Adds the modules that it needs; without optimizations, which are of no interest here.
    await run(go ?? '', ['build', '-mod=mod', '-gcflags=-N -l', './...'], target);
  });

  describe('with openapi-generator', () => {
    beforeAll(async () => {
      if (generator !== undefined) await generateAll(generator);
    }, RUN_MS);

    it('makes a client in Python that compiles', async (context) => {
      orSkip(generator, context);
      await run('python3', ['-m', 'compileall', '-q', 'openapi_client'], join(folder, 'python'));
    });

    // Compiling its 480 classes takes minutes of both cores.
    it('makes a client in Kotlin, with a class for each tag', async (context) => {
      orSkip(generator, context);
      const classes = await readdir(join(folder, 'kotlin', 'src/main/kotlin/org/openapitools/client/apis'));
      expect(classes).toEqual(expect.arrayContaining(['CardsApi.kt', 'EventsApi.kt', 'ThreeDSApi.kt']));
    });
  });
});
