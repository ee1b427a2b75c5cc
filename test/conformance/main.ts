import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir, ensureGoProgram, findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { ROOT } from '../support/settings.ts';

/**
 * `npm run conformance`: runs the official conformance suite of Connect against a server and a client on the platform's RPC stack.
 * Exits with 0 if all cases pass besides those known to be flaky.
 */

const SUITE = {
  title: 'the conformance suite',
  program: 'connectconformance',
  module: 'connectrpc.com/conformance/cmd/connectconformance',
  version: '1.0.5',
};

const STREAM_TYPES = ['STREAM_TYPE_UNARY', 'STREAM_TYPE_SERVER_STREAM'];

/** The features that both sides support. Limits of messages are constants and TLS is always mutual, so the suite cannot set them. */
const COMMON = {
  stream_types: STREAM_TYPES,
  supports_tls: false,
  supports_message_receive_limit: false,
};

const FEATURES = {
  server: {
    ...COMMON,
    versions: ['HTTP_VERSION_1', 'HTTP_VERSION_2'],
    protocols: ['PROTOCOL_CONNECT', 'PROTOCOL_GRPC', 'PROTOCOL_GRPC_WEB'],
    codecs: ['CODEC_PROTO', 'CODEC_JSON'],
    compressions: ['COMPRESSION_IDENTITY', 'COMPRESSION_GZIP'],
    supports_h2c: true,
    supports_connect_get: true,
  },
  // Processes of the platform call each other in one form only, and do not compress their requests.
  client: {
    ...COMMON,
    versions: ['HTTP_VERSION_1'],
    protocols: ['PROTOCOL_CONNECT'],
    codecs: ['CODEC_PROTO'],
    compressions: ['COMPRESSION_IDENTITY'],
    supports_h2c: false,
    supports_connect_get: false,
  },
};

/**
 * Cases whose outcome depends on timing. Cancelled after the first message, a stream still delivers a second one if both arrived together.
 */
const FLAKY = { server: [], client: ['Client Cancellation/**/server-stream/cancel-after-responses'] };

const env = processEnvironment();
const signal = AbortSignal.timeout(9 * 60_000);
const report = (line: string): void => void process.stderr.write(`${line}\n`);

/** Builds the descriptors of the suite's contract from the sources that Go has downloaded with it. */
const buildDescriptors = async (directory: string): Promise<string> => {
  const go = findGo(env) ?? 'go';
  const download = await runStep({
    command: go,
    args: ['mod', 'download', '-json', `connectrpc.com/conformance@v${SUITE.version}`],
    env,
    timeoutMs: 120_000,
    signal,
  });
  const { Dir: sources } = JSON.parse(download) as { Dir: string };
  const path = join(directory, 'contract.binpb');
  await runStep({ command: 'buf', args: ['build', join(sources, 'proto'), '-o', path], env, cwd: ROOT, timeoutMs: 60_000, signal });
  return path;
};

const run = async (mode: keyof typeof FEATURES, suite: string, directory: string, descriptors: string): Promise<number> => {
  const config = join(directory, `${mode}.yaml`);
  // JSON is YAML.
  writeFileSync(config, JSON.stringify({ features: FEATURES[mode] }));
  const flaky = FLAKY[mode].flatMap((pattern) => ['--known-flaky', pattern]);
  const command = [process.execPath, join(ROOT, `test/conformance/${mode}.ts`), descriptors];
  const child = spawn(join(suite, SUITE.program), ['--mode', mode, '--conf', config, ...flaky, '--', ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  report(`${mode}: ${code === 0 ? 'passed' : 'FAILED'}`);
  return code ?? 1;
};

const directory = mkdtempSync(join(tmpdir(), 'florin-conformance-'));
try {
  const suite = await ensureGoProgram(SUITE, { env, cacheDir: cacheDir(env), report, signal });
  const descriptors = await buildDescriptors(directory);
  const server = await run('server', suite, directory, descriptors);
  const client = await run('client', suite, directory, descriptors);
  process.exitCode = server === 0 && client === 0 ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
