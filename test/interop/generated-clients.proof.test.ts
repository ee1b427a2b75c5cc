import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { nodeTools } from '../support/node-tools.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { pythonTools } from '../support/python.ts';

const PYTHON = ['openapi-python-client==0.29.1', 'eth-account==0.13.7'] as const;
/** openapi-typescript needs the compiler's API, which TypeScript 7 does not have. */
const NODE = { 'openapi-fetch': '0.17.0', 'openapi-typescript': '7.13.0', typescript: '5.9.3', viem: '2.56.9', '@types/node': '24.19.2' };

/** Installing the generators the first time. */
const INSTALL_MS = 600_000;
const RUN_MS = 180_000;
const STORIES = join(import.meta.dirname, 'generated');
const COMPLETE = 'the story is complete';

/** Files of models for each operation. In a client in which every error response had a class of its own there were seven, six of them for errors. */
const MAX_MODEL_FILES = 3;

const report = (line: string) => void process.stdout.write(`${line}\n`);

let platform: PlatformInProcess;
let python: string | undefined;
let node: string | undefined;
beforeAll(async () => {
  [platform, python, node] = await Promise.all([startPlatformInProcess(), pythonTools(PYTHON, report), nodeTools(NODE, report)]);
}, INSTALL_MS);
afterAll(() => platform?.close());

/** Runs `work` in a new folder that holds the document, and removes the folder. */
const inFolder = async (parent: string, work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(parent, 'run-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(platform.document));
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const skipWithout = (tools: string | undefined, { skip }: TestContext): string => {
  if (tools === undefined) skip('its generator is not available');
  return tools ?? '';
};

describe('a generated client', () => {
  it('of openapi-python-client plays the story', { timeout: RUN_MS }, async (context) => {
    const programs = skipWithout(python, context);
    await inFolder(join(programs, '..'), async (folder) => {
      const { PATH } = processEnvironment();
      const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
        runStep({ command: join(programs, command), args, cwd: folder, env: { PATH, ...env }, timeoutMs: RUN_MS });
      await run('openapi-python-client', ['generate', '--path', 'openapi.json', '--meta', 'none']);
      const models = await readdir(join(folder, 'user_service_client/models'));
      const operations = Object.values(platform.document.paths).flatMap((methods) => Object.values(methods));
      expect(models.length / operations.length).toBeLessThan(MAX_MODEL_FILES);
      expect(models.filter((name) => /response_(?:4|5)\d\d/.test(name) && !name.startsWith('get_readiness'))).toEqual([]);
      await run('python', ['-m', 'compileall', '-q', 'user_service_client']);
      expect(await run('python', [join(STORIES, 'story.py'), platform.url], { PYTHONPATH: folder })).toContain(COMPLETE);
    });
  });

  it('of openapi-typescript compiles and plays the story', { timeout: RUN_MS }, async (context) => {
    const tools = skipWithout(node, context);
    await inFolder(tools, async (folder) => {
      const run = (script: string, args: string[]) =>
        runStep({ command: process.execPath, args: [script, ...args], cwd: folder, timeoutMs: RUN_MS });
      const bin = (name: string) => join(tools, 'node_modules', name);
      await copyFile(join(STORIES, 'story.ts'), join(folder, 'story.ts'));
      await run(bin('openapi-typescript/bin/cli.js'), ['openapi.json', '-o', 'schema.ts']);
      const compiler = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions'];
      await run(bin('typescript/bin/tsc'), [...compiler, '--target', 'es2024', '--module', 'nodenext', '--types', 'node', 'story.ts']);
      expect(await run('story.ts', [platform.url])).toContain(COMPLETE);
    });
  });
});
