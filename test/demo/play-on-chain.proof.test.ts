import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itOnEvm } from '@florin/evm/local-chain/describe-on-evm';
import { ensureKeys, type Platform, startPlatform } from '@florin/local';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { afterAll, beforeAll, expect } from 'vitest';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { localNode } from './on-chain.ts';
import { playStory } from './play-story.ts';

let dataDir: string;
let platform: Platform | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-local-chain-'));
});
afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (): Promise<Platform> =>
  startPlatform({ rootDir: ROOT, dataDir, env: { ...benchEnvironment(), CHAIN: 'local', SERVE_APP: 'false' }, report: () => undefined });

const play = async ({ urls }: Platform): Promise<string[]> => {
  const lines: string[] = [];
  await playStory(urls.gateway, (line) => lines.push(line), { chainNode: urls.chainNode });
  return lines;
};

/** The treasury's money as settlement has booked it, in cents. */
const bookedTreasury = async ({ urls }: Platform): Promise<string | undefined> => {
  const operatorKey: unknown = JSON.parse(await readFile((await ensureKeys(dataDir)).keyFile('operator'), 'utf8'));
  const scopes = [SETTLEMENT_SCOPES.readBooks];
  const channel = openOperatorChannel({ operatorKey }, { audience: 'settlement', baseUrl: urls.settlement, scopes });
  const { balances } = await channel.client(SettlementService).listBalances({});
  await channel.close();
  return balances.find(({ account, currency }) => account === 'treasury' && currency === 'EUR')?.amount;
};

const newest = async ({ urls }: Platform): Promise<{ number: string; hash: string }> =>
  (await localNode(urls.chainNode ?? '').request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
    number: string;
    hash: string;
  };

itOnEvm(
  'collects from the Safe what a card has spent, and withdraws, also after the chain was killed and the platform was started again',
  { timeout: 900_000 },
  async () => {
    const started = await start();
    platform = started;
    const lines = await play(started);
    expect(lines.at(-1)).toBe('\nThe demo is complete: all 32 steps had the expected result.');
    const [, whole, cents] = lines.map((line) => /the treasury has (\d+)\.(\d\d)/.exec(line)).find((found) => found !== null) ?? [];
    await waitFor('the collection in settlement', async () => ((await bookedTreasury(started)) === `${whole}${cents}` ? true : undefined));

    const before = await newest(platform);
    const pid = platform.processes().find(({ name }) => name === 'chain-node')?.pid ?? expect.fail('the chain runs');
    process.kill(pid, 'SIGKILL');
    const node = localNode(platform.urls.chainNode ?? '');
    const again = await waitFor(
      'the chain to be back',
      () => node.request({ method: 'eth_getBlockByNumber', params: [before.number, false] }).catch(() => undefined),
      120_000,
    );
    expect(again).toMatchObject({ hash: before.hash });

    await platform.stop();
    platform = await start();
    const kept = await localNode(platform.urls.chainNode ?? '').request({ method: 'eth_getBlockByNumber', params: [before.number, false] });
    expect(kept).toMatchObject({ hash: before.hash });
    // The chain service goes on where it was: its chain was not replaced.
    expect((await play(platform)).at(-1)).toMatch(/all 32 steps/);
  },
);
