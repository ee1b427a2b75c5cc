import { randomUUID } from 'node:crypto';
import { type ApiClient, isRejection } from '../support/api-client.ts';
import { fromOwnAddress } from '../support/customer-address.ts';
import { createCard, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

/** Requests per second. */
const RATE = 50;
const PEOPLE = 4;
const MAX_FAILURES_SHOWN = 5;

const AMOUNT = 1_000_000_000_000_000n;

/** A user with a card, and the number of deposits that were acknowledged. */
type Customer = { person: Person; cardId: string; deposits: number };

type Request = (api: ApiClient, customer: Customer) => Promise<unknown>;

/** One request of each kind in turn, so that every service is called all the time. */
const REQUESTS: readonly Request[] = [
  (api, { person }) => api.call('GET', '/user/balances/v2', { token: person.token }),
  async (api, customer) => {
    const body = { token: 'EURe', amount: String(AMOUNT) };
    await api.call('POST', '/sandbox/deposits', { token: customer.person.token, body, headers: { 'idempotency-key': randomUUID() } });
    customer.deposits += 1;
  },
  (api, { person, cardId }) => api.call('GET', `/cards/${cardId}`, { token: person.token }),
  (api, { person }) => api.call('GET', '/pci/access-log', { token: person.token }),
  (api, { person }) => api.call('GET', '/3ds/challenges', { token: person.token }),
  (api, { person }) => api.call('GET', '/user', { token: person.token }),
];

export type TrafficResult = {
  requests: number;
  failures: readonly string[];
  /** Those of the failures that no gateway has answered: the connection was refused, or ended before the response. */
  unanswered: number;
  worstMs: number;
  longestGapMs: number;
};

export type Traffic = {
  /** Ends the sending, and waits for the last responses. */
  stop: () => Promise<TrafficResult>;
};

/** The remains of a run of requests, as one line. */
export const describeTraffic = ({ requests, failures, worstMs }: TrafficResult): string => {
  const shown = [...new Set(failures)].slice(0, MAX_FAILURES_SHOWN).join(' | ');
  return `${failures.length} of ${requests} requests failed, slowest ${Math.round(worstMs)} ms${failures.length === 0 ? '' : `: ${shown}`}`;
};

export type Customers = {
  /** Sends requests at a constant rate, each once, whether earlier ones have been answered or not. */
  send: (rate?: number) => Traffic;
  /** Describes wrong balances: each must be the sum of the acknowledged deposits. @param lenient also accepts requests that were not answered */
  audit: () => Promise<string[]>;
};

type Balances = { data: { tokens: { token: string; spendable: string }[] }[] };

/** Registers customers. */
export const openCustomers = async (api: ApiClient): Promise<Customers> => {
  const customers: Customer[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const person = await registerPerson(fromOwnAddress(api));
    const cardId = await createCard(api, person.token);
    await raiseChallenge(api, person.token, cardId);
    customers.push({ person, cardId, deposits: 0 });
  }

  const send = (rate = RATE): Traffic => {
    const failures: string[] = [];
    const open = new Set<Promise<void>>();
    let [requests, unanswered, worstMs, lastSuccess, longestGapMs] = [0, 0, 0, performance.now(), 0];
    const one = async (index: number): Promise<void> => {
      const sent = performance.now();
      try {
        const customer = customers[index % customers.length];
        const request = REQUESTS[Math.floor(index / customers.length) % REQUESTS.length];
        if (customer !== undefined && request !== undefined) await request(api, customer);
        longestGapMs = Math.max(longestGapMs, performance.now() - lastSuccess);
        lastSuccess = performance.now();
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
        if (!isRejection(error)) unanswered += 1;
        failures.push(`${error instanceof Error ? error.message : String(error)}${cause}`);
      }
      worstMs = Math.max(worstMs, performance.now() - sent);
    };
    const begun = performance.now();
    const timer = setInterval(() => {
      // As many as are due: a timer that comes late sends more.
      while (requests < ((performance.now() - begun) / 1000) * rate) {
        const running = one(requests).finally(() => open.delete(running));
        open.add(running);
        requests += 1;
      }
    }, 1000 / rate);
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.all(open);
        return { requests, failures, unanswered, worstMs, longestGapMs };
      },
    };
  };

  const audit = async (): Promise<string[]> => {
    const problems: string[] = [];
    for (const { person, deposits } of customers) {
      const balances = await api.call<Balances>('GET', '/user/balances/v2', { token: person.token });
      const has = balances.data.flatMap(({ tokens }) => tokens).find((row) => row.token === 'EURe')?.spendable ?? '0';
      const expected = AMOUNT * BigInt(deposits);
      if (has !== String(expected))
        problems.push(`user ${person.userId} has ${has} EURe after ${deposits} deposits, which are ${expected}`);
    }
    return problems;
  };
  return { send, audit };
};
