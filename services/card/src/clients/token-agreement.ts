import type { MessageInitShape } from '@bufbuild/protobuf';
import { BalanceService, type TokenSchema } from '@florin/proto/ledger/v1/balance_service';
import type { RpcChannel } from '@florin/rpc/client';
import { ConfigError } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { Program } from '../domain/program.ts';
import type { HoldsClient } from './holds.ts';

const TIMEOUT_MS = 2000;

/** Pause before a ledger is asked again that does not list its tokens, for example one of an earlier release. */
const AGAIN_MS = 60_000;

type Token = Pick<Required<MessageInitShape<typeof TokenSchema>>, 'symbol' | 'decimals' | 'currency'>;

/** The difference between the program's token and those of the ledger, and how it is resolved; undefined when there is none. */
export const tokenDifference = ({ token, currency }: Program, tokens: readonly Token[]): string | undefined => {
  const fitting = tokens.filter((one) => one.currency === currency).map(({ symbol }) => symbol);
  const choice = fitting.length === 0 ? `add one of ${currency} to ASSETS of the ledger` : `set token to ${fitting.join(' or ')}`;
  const known = tokens.find(({ symbol }) => symbol === token.symbol);
  if (known === undefined) return `CARD_PROGRAM: the ledger has no token ${token.symbol}; ${choice}`;
  if (known.currency !== currency) {
    return `CARD_PROGRAM: the ledger's token ${token.symbol} is of ${known.currency} and the program of ${currency}; ${choice}, or set currency to ${known.currency}`;
  }
  if (known.decimals === token.decimals) return undefined;
  return `CARD_PROGRAM: the ledger's token ${token.symbol} has ${known.decimals} decimals, not ${token.decimals}; set tokenDecimals to ${known.decimals}`;
};

/** The agreement of the program with the ledger on the token that pays: with other decimals every amount would be wrong by powers of ten. */
export class TokenAgreement {
  readonly #ledger: { listTokens: () => Promise<readonly Token[]> };
  readonly #program: Program;
  readonly #now: () => Date;
  #difference: string | undefined;
  /** Until then the answer stands. */
  #until = 0;
  #running: Promise<void> | undefined;

  constructor(channel: RpcChannel, program: Program, { now }: Pick<Runtime, 'now'>) {
    const balances = channel.client(BalanceService);
    this.#ledger = { listTokens: async () => (await balances.listTokens({}, { timeoutMs: TIMEOUT_MS })).tokens };
    this.#program = program;
    this.#now = now;
  }

  async #compare(): Promise<void> {
    try {
      this.#difference = tokenDifference(this.#program, await this.#ledger.listTokens());
      this.#until = Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof CodedError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'UPSTREAM_TIMEOUT')) throw error;
      this.#until = this.#now().getTime() + AGAIN_MS;
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Compares them once, as soon as the ledger can be reached.
   * @throws ConfigError when they differ
   * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT while the ledger cannot be reached
   */
  async verify(): Promise<void> {
    if (this.#now().getTime() >= this.#until) {
      this.#running ??= this.#compare();
      await this.#running;
    }
    if (this.#difference !== undefined) throw new ConfigError(this.#difference);
  }

  /** The same holds; nothing is ordered from a ledger that differs. */
  guard(holds: HoldsClient): HoldsClient {
    const guarded = Object.entries(holds).map(([name, order]: [string, (given: never, token: never) => Promise<unknown>]) => [
      name,
      async (given: never, token: never) => {
        await this.verify();
        return order(given, token);
      },
    ]);
    return Object.fromEntries(guarded) as HoldsClient;
  }
}
