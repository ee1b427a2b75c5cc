import { setTimeout as pause } from 'node:timers/promises';
import { createApiClient } from '../support/api-client.ts';
import { newWallet, type Person, registerPerson } from '../support/story.ts';
import { openJsonClient } from './json-client.ts';
import { residentMebibytes } from './memory.ts';
import { onPlatform, pidOf } from './on-platform.ts';
import type { Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';
import { sized } from './sized.ts';

const CALLERS = 64;
const MINUTES = sized(5, 1);
const MINUTE_MS = sized(60_000, 3000);
const PERSONS = 16;
const READS = ['/user/balances/v2', '/user', '/cards', '/3ds/challenges', '/user/statement'];

/**
 * Resident memory during five minutes of reads at 64 connections, by users who change all the time: registered users in turn, and new
 * wallets that sign in, read once and leave. The first minute is a warm-up.
 */
export const benchGatewayMemory = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(report, async (platform) => {
    const api = createApiClient(platform.urls.gateway);
    const client = openJsonClient(platform.urls.gateway);
    const persons: Person[] = [];
    while (persons.length < PERSONS) persons.push(await registerPerson(api));
    let running = true;
    let wallets = 0;
    let reads = 0;
    const comeAndGo = async (): Promise<void> => {
      for (; running; wallets += 1) {
        const { accessToken } = await signInOnce(client, newWallet());
        await client.get('/auth/sessions', accessToken);
      }
    };
    const read = async (caller: number): Promise<void> => {
      for (let turn = caller; running; turn += 1) {
        const person = persons[turn % persons.length];
        await client.get(READS[turn % READS.length] ?? '/user', person?.token);
        reads += 1;
      }
    };
    const work = Promise.all([comeAndGo(), ...Array.from({ length: CALLERS }, (_, caller) => read(caller))]);
    const rows: Row[] = [];
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      await Promise.race([pause(MINUTE_MS), work]);
      report(`minute ${minute}: ${reads} reads, ${wallets} new wallets`);
      for (const name of ['gateway', 'ledger', 'threeds', 'card', 'identity']) {
        rows.push({ name: `${name} resident memory after ${minute} min`, value: residentMebibytes(pidOf(platform, name)), unit: 'MiB' });
      }
    }
    running = false;
    await work;
    await client.close();
    return [...rows, { name: 'reads', value: reads, unit: '' }, { name: 'new wallets', value: wallets, unit: '' }];
  });
