import { create } from '@bufbuild/protobuf';
import { BalanceService, type GetSystemBalancesRequest, GetSystemBalancesRequestSchema } from '@florin/proto/ledger/v1/balance_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { type Call, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { shardOfRequest } from './fields.ts';

type Balance = { name: string; token: string; balance: string };

/**
 * Balances of the system accounts: of a shard from its owner's memory, of all shards as their sum.
 * @throws CodedError VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export const getSystemBalances = ({ shards, systemAccounts }: Dependencies) => {
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
