import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { createRpcChannel } from '@florin/rpc/client';
import { ConfigError } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../domain/program.ts';
import { createWorld, type World } from '../testing/world.ts';
import type { HoldsClient } from './holds.ts';
import { TokenAgreement, tokenDifference } from './token-agreement.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const TOKENS = [
  { symbol: 'EURe', decimals: 18, currency: 'EUR' },
  { symbol: 'EURC', decimals: 6, currency: 'EUR' },
  { symbol: 'USDC.e', decimals: 6, currency: 'USD' },
];
const programOf = (currency: string, symbol: string, decimals: number) => ({ currency, token: { symbol, decimals } }) as Program;

describe("the program's token", () => {
  it.each([
    ['EUR', 'EURe', 18, undefined],
    ['EUR', 'EURe', 6, "CARD_PROGRAM: the ledger's token EURe has 18 decimals, not 6; set tokenDecimals to 18"],
    [
      ...(['EUR', 'USDC.e', 6] as const),
      "CARD_PROGRAM: the ledger's token USDC.e is of USD and the program of EUR; set token to EURe or EURC, or set currency to USD",
    ],
    ['EUR', 'EURX', 18, 'CARD_PROGRAM: the ledger has no token EURX; set token to EURe or EURC'],
    ['GBP', 'GBPe', 18, 'CARD_PROGRAM: the ledger has no token GBPe; add one of GBP to ASSETS of the ledger'],
  ])('of a program in %s that names %s with %i decimals is compared', (currency, symbol, decimals, difference) => {
    expect(tokenDifference(programOf(currency, symbol, decimals), TOKENS)).toBe(difference);
  });
});

describe('the card service', () => {
  it.each(['{"tokenDecimals":6}', '{"token":"USDC.e","tokenDecimals":6}', '{"token":"EURX"}'])(
    'does not start with %s',
    async (program) => {
      await expect(world.start({ env: { CARD_PROGRAM: program } })).rejects.toThrow(ConfigError);
    },
  );

  it('starts while the ledger cannot be reached', async () => {
    const { close } = await world.start({ env: { CARD_PROGRAM: '{"tokenDecimals":6}', LEDGER_URL: 'http://127.0.0.1:9' } });
    await close();
  });
});

describe('an order', () => {
  const channel = createRpcChannel({ baseUrl: 'http://127.0.0.1:9' });
  afterAll(channel.close);

  /** A ledger that comes up with these tokens, and counts the orders that reach it. */
  const ledgerWith = (answers: (() => Promise<object>)[]) => {
    const reached: string[] = [];
    const client = { client: () => ({ listTokens: () => (answers.length > 1 ? answers.shift() : answers[0])?.() }) };
    const agreement = new TokenAgreement(client as never, programOf('EUR', 'EURe', 6), world.clock);
    const holds = agreement.guard({ void: async ({ holdId }: { holdId: string }) => void reached.push(holdId) } as unknown as HoldsClient);
    return { reached, send: () => holds.void({ accountId: 'a', holdId: 'h' }) };
  };

  it('does not reach a ledger that comes up later and differs', async () => {
    const { reached, send } = ledgerWith([() => channel.client(BalanceService).listTokens({}), async () => ({ tokens: TOKENS })]);
    await expect(send()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(send()).rejects.toThrow('set tokenDecimals to 18');
    await expect(send()).rejects.toThrow(ConfigError);
    expect(reached).toEqual([]);
  });
});
