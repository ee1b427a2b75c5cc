import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateFiles, internalPorts, type Platform, startPlatform } from '@florin/local';
import { createOperatorCall } from '@florin/local/operator-call';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { createCloser } from '@florin/rpc/process';
import { startTraceCollector } from '@florin/rpc/testing';
import { testPort } from '@florin/rpc/testing/test-port';
import { findPrometheus } from '../../scripts/observability/find-prometheus.ts';
import { BEHIND_PROXY } from '../support/customer-address.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { checkQueries } from './check-queries.ts';
import { startDemoLoad } from './demo-load.ts';
import { startEmptyChain } from './empty-chain.ts';
import { startPrometheus } from './prometheus.ts';
import { refusedCalls } from './refused-calls.ts';

/**
 * `npm run dashboards`: starts the platform with mutual TLS, a chain and traces, and a real Prometheus that scrapes every process; plays the demo, and runs every
 * query of every panel until all of them return data.
 */
const CHAIN_ID = 100;

const report = (line: string): void => void process.stdout.write(`${line}\n`);

/** Processes that leave their metrics at neighbouring ports need a first one with free ports after it. */
const freePorts = async (count: number): Promise<number> => {
  for (let first = await testPort(); ; first = await testPort()) {
    const others: number[] = [];
    while (others.length < count - 1) others.push(await testPort());
    if (others.every((port, index) => port === first + index + 1)) return first;
  }
};

/** @returns the number of things that are wrong */
const play = async (program: string): Promise<number> => {
  const closer = createCloser();
  try {
    const collector = await startTraceCollector();
    closer.defer(collector.close);
    const nodes = [await startEmptyChain(CHAIN_ID), await startEmptyChain(CHAIN_ID)];
    for (const { close } of nodes) closer.defer(close);
    const dataDir = await mkdtemp(join(tmpdir(), 'florin-dashboards-'));
    closer.defer(() => rm(dataDir, { recursive: true, force: true }));
    const first = await freePorts(internalPorts(0).size);
    const env = {
      ...benchEnvironment(),
      ...BEHIND_PROXY,
      FLORIN_TLS: 'true',
      METRICS_PORT: String(first),
      CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: nodes.map(({ url }) => url) }),
      CHAIN_POLL_MS: '200',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    };
    const platform: Platform = await startPlatform({ rootDir: ROOT, dataDir, env, report });
    closer.defer(platform.stop);
    const prometheus = await startPrometheus(program, internalPorts(first));
    closer.defer(prometheus.stop);
    const load = startDemoLoad(platform.urls.gateway, createOperatorCall(dataDir, 'events', PARTNER_SCOPES));
    closer.defer(load.stop);
    const { cert, key, ca } = certificateFiles(dataDir, 'operator');
    const refused = refusedCalls(platform.urls, { TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca });
    closer.defer(refused.close);
    const problems = await Promise.race([checkQueries(prometheus, { beforeEachRound: refused.make, report }), load.failed]);
    report(`the demo was played ${load.rounds()} times; ${collector.spans.length} spans were exported`);
    const examples = new Set(await prometheus.exampleTraces('florin_rpc_server_duration_seconds_bucket'));
    const known = new Set(collector.spans.map(({ traceId }) => traceId));
    if (![...examples].some((id) => known.has(id))) problems.push('Prometheus has no exemplar of a trace that was exported');
    problems.push(...collector.problems);
    for (const problem of problems) report(`wrong: ${problem}`);
    return problems.length;
  } finally {
    await closer.close();
  }
};

const program = await findPrometheus('prometheus', report);
if (program === undefined) process.exitCode = 2;
else process.exitCode = (await play(program)) === 0 ? 0 : 1;
