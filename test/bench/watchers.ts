import type { Client } from '@connectrpc/connect';
import type { Platform } from '@florin/local';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { openGrpcClient } from '@florin/rpc/testing/grpc-client';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { residentMebibytes } from './memory.ts';
import type { Row } from './row.ts';
import { sized } from './sized.ts';
import type { Stage } from './stage.ts';

const WATCHERS = sized(5000, 500);
const WATCHED_CHALLENGES = sized(500, 50);
const OPENED_AT_ONCE = 100;

/** As many as the service allows on one connection: another one would wait for the end of one of them. */
const STREAMS_PER_CONNECTION = 100;

type Threeds = Client<typeof ChallengeService>;

const pidOf = (platform: Platform): number | undefined => platform.processes().find(({ name }) => name === 'threeds')?.pid;

/** Restarts threeds, so that memory left over from earlier measurements is not attributed to the watchers. */
const restart = async ({ platform, holders, raise }: Stage): Promise<void> => {
  const before = pidOf(platform);
  if (before === undefined) throw new Error('threeds is not running');
  process.kill(before, 'SIGKILL');
  await waitFor('threeds to restart', async () => {
    const [pid, holder] = [pidOf(platform), holders[0]];
    if (pid === undefined || pid === before || holder === undefined) return undefined;
    return raise(holder).catch(() => undefined);
  });
};

/** @param clientOf returns the client that opens the stream with this number */
const measure = async (
  { platform, raise, holders }: Stage,
  name: string,
  clientOf: (index: number) => Promise<{ client: Threeds; headers: Record<string, string> }>,
): Promise<Row[]> => {
  const pid = pidOf(platform) ?? 0;
  const before = residentMebibytes(pid);
  const gone = new AbortController();
  const ids: string[] = [];
  for (let index = 0; index < WATCHED_CHALLENGES; index += 1) {
    const holder = holders[index % holders.length];
    if (holder !== undefined) ids.push(await raise(holder));
  }
  const streams: AsyncIterator<unknown>[] = [];
  const open = async (index: number): Promise<AsyncIterator<unknown>> => {
    const { client, headers } = await clientOf(index);
    const stream = client
      .watchChallenge({ challengeId: ids[index % ids.length] ?? '' }, { headers, signal: gone.signal })
      [Symbol.asyncIterator]();
    // The first message is the current state: the stream is open.
    await stream.next();
    return stream;
  };
  while (streams.length < WATCHERS) {
    streams.push(...(await Promise.all(Array.from({ length: OPENED_AT_ONCE }, (_, index) => open(streams.length + index)))));
  }
  const after = residentMebibytes(pid);
  gone.abort();
  await Promise.allSettled(streams.map((stream) => stream.next()));
  return [
    { name: `threeds resident memory (PSS) before ${name}`, value: before, unit: 'MiB' },
    { name: `threeds resident memory (PSS) with ${WATCHERS} ${name}`, value: after, unit: 'MiB' },
  ];
};

/**
 * Memory of the service with many open streams: with one connection per stream (Connect over HTTP/1.1), and
 * with many streams per connection (gRPC over HTTP/2).
 */
export const benchWatchers = async (stage: Stage): Promise<Row[]> => {
  const { platform, threeds, token, report } = stage;
  report(`${WATCHERS} watchers, one connection each`);
  const apart = await measure(stage, 'watchers on HTTP/1.1', async () => ({ client: threeds, headers: {} }));
  report(`${WATCHERS} watchers, ${STREAMS_PER_CONNECTION} per connection`);
  await restart(stage);
  const connections = Array.from({ length: WATCHERS / STREAMS_PER_CONNECTION }, () =>
    openGrpcClient(ChallengeService, platform.urls.threeds),
  );
  const together = await measure(stage, 'watchers on HTTP/2', async (index) => ({
    client: connections[Math.floor(index / STREAMS_PER_CONNECTION)]?.client ?? threeds,
    headers: { authorization: `Bearer ${await token()}` },
  }));
  for (const { close } of connections) close();
  await restart(stage);
  return [...apart, ...together];
};
