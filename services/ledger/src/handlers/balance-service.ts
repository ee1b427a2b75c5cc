import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  BalanceService,
  type GetAssetsRequest,
  type GetBalancesRequest,
  type GetBalancesResponseSchema,
  type GetSystemBalancesRequest,
  GetSystemBalancesRequestSchema,
  type ListTokensRequest,
} from '@florin/proto/ledger/v1/balance_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import {
  type Call,
  implement,
  publicMethod,
  type ServiceImplementation,
  serviceMethod,
  userOfCall,
  userOrServiceMethod,
} from '@florin/rpc/server';
import { balanceRows } from '../domain/balance-rows.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { shardOfRequest } from './fields.ts';
import { getBalanceAt } from './get-balance-at.ts';
import { ownedMethod } from './owned-method.ts';
import { type AccountFacts, createRecentAccounts } from './recent-accounts.ts';
import { toWireStatus, toWireTokenBlock } from './to-wire.ts';
import { toWireRow } from './to-wire-balances.ts';

/**
 * Balances are those of the journal's last durable block, all of one and the same.
 * @throws CodedError ACCOUNT_NOT_FOUND
 */
const getBalances = ({ accounts, assets, shards, runtime, minimumOf }: Dependencies) => {
  const recent = createRecentAccounts(accounts.findByUser, runtime.now);
  const rpc = BalanceService.method.getBalances;
  return userOrServiceMethod(async (request: GetBalancesRequest, call) => {
    const userId = userOfCall(request, call.caller);
    const answer = (account: AccountFacts): Promise<MessageInitShape<typeof GetBalancesResponseSchema>> =>
      shards.atOwner(account.id, { rpc, request, call }, async (journal) => {
        const state = await journal.account(account.id);
        // Without a state, opening it was interrupted before it reached the journal; the caller that opens it repeats.
        if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
        if (state.status === 'closed') {
          recent.forget(userId);
          const newest = await recent.find(userId);
          if (newest !== undefined && newest.id !== account.id) return answer(newest);
        }
        return { currencies: balanceRows(assets, account, state).map((row) => toWireRow(row, minimumOf)) };
      });
    const account = await recent.find(userId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    return answer(account);
  });
};

/** Balances of any account, as of the last durable block. */
const getAccountBalances = ({ accounts, assets, shards, minimumOf }: Dependencies) =>
  ownedMethod(
    shards,
    BalanceService.method.getAccountBalances,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const account = requireAccount(await accounts.find(accountId));
      const state = await journal.account(accountId);
      if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const currencies = balanceRows(assets, account, state).map((row) => toWireRow(row, minimumOf));
      return { currencies, status: toWireStatus(state.status) };
    },
  );

type Balance = { name: string; token: string; balance: string };

/**
 * Balances of the system accounts: of a shard from its owner's memory, of all shards as their sum.
 * @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
const getSystemBalances = ({ shards, systemAccounts }: Dependencies) => {
  const ofShard = async (shard: string, call: Call<ServiceCaller>): Promise<readonly Partial<Balance>[]> => {
    const request = create(GetSystemBalancesRequestSchema, { shard });
    const { balances = [] } = await shards.atShard(
      shard,
      { rpc: BalanceService.method.getSystemBalances, request, call },
      async (journal) => ({
        balances: [...journal.systems()].map(([key, amount]) => {
          const slash = key.indexOf('/');
          return { name: key.slice(0, slash), token: key.slice(slash + 1), balance: amount.toString() };
        }),
      }),
    );
    return balances;
  };
  return serviceMethod(async ({ shard }: GetSystemBalancesRequest, call) => {
    const sums = new Map<string, { name: string; token: string; sum: bigint }>();
    for (const one of shard === '' ? shards.names() : [shardOfRequest({ shard }, shards)]) {
      for (const { name = '', token = '', balance = '0' } of await ofShard(one, call)) {
        const row = sums.get(`${name}/${token}`) ?? { name, token, sum: 0n };
        row.sum += BigInt(balance);
        sums.set(`${name}/${token}`, row);
      }
    }
    const byName = (a: { name: string; token?: string }, b: { name: string; token?: string }): number =>
      `${a.name}/${a.token}` < `${b.name}/${b.token}` ? -1 : 1;
    return {
      balances: [...sums.values()]
        .filter(({ sum }) => sum !== 0n)
        .sort(byName)
        .map(({ name, token, sum }) => ({ name, token, balance: sum.toString() })),
      accounts: [...systemAccounts].map(([name, { overdraft, open }]) => ({ name, overdraft, open })).sort(byName),
    };
  });
};

const HOUR_MS = 3_600_000;

/** The configured tokens. */
const listTokens = ({ assets, approval }: Dependencies) =>
  serviceMethod((_request: ListTokensRequest) => ({
    tokens: assets.tokens.map(({ symbol, decimals, currency, chainId }) => ({
      symbol,
      decimals,
      currency,
      chainId,
      approvalAbove: String(approval.limitOf(symbol)),
      approvalWindowHours: approval.windowMs / HOUR_MS,
    })),
  }));

/** Returns what new accounts can hold, and on which chain. */
const getAssets = ({ assets, accountsNeedSafe, halts }: Pick<Dependencies, 'assets' | 'accountsNeedSafe' | 'halts'>) => {
  const { chainId, nativeCurrency, additionalCurrencies } = assets.accounts;
  const currencies = [nativeCurrency, ...additionalCurrencies];
  const tokens = assets.tokens
    .filter((token) => token.chainId === chainId && currencies.includes(token.currency))
    .map(({ symbol, decimals, currency, address = '' }) => ({ symbol, decimals, currency, contract: address }));
  const chainName = assets.chains.find(({ id }) => id === chainId)?.name ?? '';
  return publicMethod((_request: GetAssetsRequest) => ({
    ...{ chainId, chainName, currencies, tokens, safeRequired: accountsNeedSafe },
    tokenBlocks: halts.blocksOf().map(toWireTokenBlock),
  }));
};

/** Implementation of the contract `BalanceService`. */
export const balanceService = (dependencies: Dependencies): ServiceImplementation =>
  implement(BalanceService, {
    getBalances: getBalances(dependencies),
    getAccountBalances: getAccountBalances(dependencies),
    getSystemBalances: getSystemBalances(dependencies),
    listTokens: listTokens(dependencies),
    getAssets: getAssets(dependencies),
    getBalanceAt: getBalanceAt(dependencies),
  });
