import { newWallet } from '../support/story.ts';
import { openJsonClient } from './json-client.ts';
import { residentMebibytes } from './memory.ts';
import { onPlatform, pidOf } from './on-platform.ts';
import type { Row } from './row.ts';
import { signInOnce } from './sign-ins.ts';
import { sized } from './sized.ts';

const CALLERS = 32;
const WARM_UP = sized(5000, 32);
const SIGN_INS = sized(100_000, 64);
const STEP = sized(20_000, 32);

/** Resident memory of identity and the gateway during 100,000 sign-ins, after a warm-up. Takes many minutes. */
export const benchIdentityMemory = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(report, async (platform) => {
    const client = openJsonClient(platform.urls.gateway);
    const wallets = Array.from({ length: CALLERS }, newWallet);
    const signIns = async (count: number): Promise<void> => {
      let remaining = count;
      const work = async (wallet: (typeof wallets)[number]): Promise<void> => {
        while (remaining > 0) {
          remaining -= 1;
          await signInOnce(client, wallet);
        }
      };
      await Promise.all(wallets.map(work));
    };
    const [identity, gateway] = [pidOf(platform, 'identity'), pidOf(platform, 'gateway')];
    const measure = (done: number): Row[] =>
      Object.entries({ identity, gateway }).map(([name, pid]) => ({
        name: `${name} resident memory after ${done.toLocaleString('en-US')} sign-ins`,
        value: residentMebibytes(pid),
        unit: 'MiB',
      }));

    await signIns(WARM_UP);
    const rows = measure(0);
    for (let done = STEP; done <= SIGN_INS; done += STEP) {
      await signIns(STEP);
      report(`${done} sign-ins`);
      rows.push(...measure(done));
    }
    await client.close();
    return rows;
  });
