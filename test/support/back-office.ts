import { createApp } from '@florin/back-office';
import { configShape } from '@florin/back-office/config';
import type { Role } from '@florin/back-office/contract';
import { type Asked, createBrowser } from '@florin/back-office/testing/browser';
import { inviteOperator } from '@florin/back-office/testing/invite';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { testPort } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import type { PlatformInProcess } from './platform-in-process.ts';

const REPEATS = 40;
const PAUSE_MS = 250;

/** Repeats a request while a service does not answer in time, as on a busy machine: reads may be repeated, and so may actions with their keys. */
const untilAnswered = async (send: () => Promise<Asked>): Promise<Asked> => {
  for (let repeat = 1; ; repeat += 1) {
    const answer = await send();
    if ((answer.status !== 503 && answer.status !== 504) || repeat === REPEATS) return answer;
    await pause(PAUSE_MS);
  }
};

/**
 * Starts the back office of a platform in this process, at an address that browsers take for their own: `http://localhost:<port>`.
 * @param more of its environment, which may need that address
 */
export const startBackOffice = async (
  platform: Pick<PlatformInProcess, 'environment' | 'clock' | 'chainUrl'>,
  more: Environment | ((origin: string) => Promise<Environment>) = {},
) => {
  const port = await testPort();
  const origin = `http://localhost:${port}`;
  const environment: Environment = {
    ...platform.environment('back-office', port),
    BACK_OFFICE_URL: origin,
    ...(platform.chainUrl === undefined ? {} : { CHAIN_URL: platform.chainUrl }),
    ...(typeof more === 'function' ? await more(origin) : more),
  };
  const app = await createApp(loadConfig(configShape, environment), { runtime: { now: platform.clock.now }, limit: () => undefined });
  const invite = (email: string, roles: readonly Role[]): Promise<string> => inviteOperator(environment, email, roles);
  const enrol = async (link: string) => {
    const browser = createBrowser(app.url, origin);
    const { status, body } = await browser.enrol(link);
    if (status !== 200) throw new Error(`the operator could not enrol: ${JSON.stringify(body)}`);
    const ask: typeof browser.ask = (target, options) => untilAnswered(() => browser.ask(target, options));
    return { ...browser, ask, id: (await browser.session()).operator.id };
  };
  return {
    /** Where browsers find it. */
    url: origin,
    /** A link by which an operator with these roles enrols. */
    invite,
    /** A new operator with these roles, who has signed in with a software passkey. */
    operator: async (...roles: Role[]) => enrol(await invite(`operator-${crypto.randomUUID()}@example.org`, roles)),
    /** Follows the link of an invitation. */
    enrol,
    close: app.close,
  };
};

export type BackOfficeInProcess = Awaited<ReturnType<typeof startBackOffice>>;
export type Operator = Awaited<ReturnType<BackOfficeInProcess['operator']>>;
