import { randomUUID } from 'node:crypto';
import { WithdrawalService } from '@florin/proto/chain/v1/withdrawal_service';
import { createRpcChannel } from '@florin/rpc/client';
import { createTestAuthority, startNeighbour } from '@florin/rpc/testing';
import { getAddress } from 'viem';
import { expect, it } from 'vitest';
import type { UserAccount } from '../clients/accounts.ts';
import type { Dependencies } from './dependencies.ts';
import { withdrawalService } from './withdrawal-service.ts';

const [SERVED, FORMERLY_SERVED] = [100, 5];
const SENDER = getAddress(`0x${'5'.repeat(40)}`);

const open = (chainId: number, formerAccountId?: string): UserAccount => {
  const id = randomUUID();
  const safe = getAddress(`0x${id.replaceAll('-', '').padStart(40, '0')}`);
  const state = { ownerRevoked: false, approved: true, active: true, closed: false };
  return { id, chainId, safe, owner: SENDER, ...state, ...(formerAccountId === undefined ? {} : { formerAccountId }) };
};

it('lists the returns of a user whose former accounts cannot all be read', async () => {
  const oldest = open(SERVED);
  const unserved = open(FORMERLY_SERVED, oldest.id);
  const unread = open(SERVED, unserved.id);
  const own = open(SERVED, unread.id);
  const all = [oldest, unserved, unread, own];
  const withdrawals = {
    isShared: async ({ safe }: { safe: string }) => {
      if (safe === unread.safe) throw new Error('a node fails');
      return true;
    },
  };
  const onServed = (part: object) => (chainId: number) => (chainId === SERVED ? part : undefined);
  const dependencies = {
    keeper: {
      setUpsOn: onServed({ find: async () => undefined }),
      withdrawalsOn: onServed(withdrawals),
      recoveriesOn: onServed({}),
      planOf: async ({ safe }: UserAccount) => ({ parties: { safe }, delay: {} }),
    },
    accounts: { ofUser: async () => own, find: async (id: string) => all.find((account) => account.id === id) },
    exceptions: {
      returnsOf: async (id: string) => [{ id, transfer: { token: 'EURe', amount: 5n, counterparty: SENDER.toLowerCase(), txHash: '0x1' } }],
    },
  } as unknown as Dependencies;
  const authority = await createTestAuthority({});
  const server = await startNeighbour({ authority, name: 'chain', services: [withdrawalService(dependencies)] });
  const channel = createRpcChannel({ baseUrl: server.url, timeoutMs: 10_000 });
  try {
    const token = await authority.userToken({ wallet: SENDER, userId: randomUUID() });
    const user = { headers: { authorization: `Bearer ${token}` } };
    expect((await channel.client(WithdrawalService).listReturns({}, user)).returns).toMatchObject(
      [own, oldest].map(({ id, safe: safeAddress }) => ({ id, safeAddress, amount: '5', recipient: SENDER })),
    );
  } finally {
    await channel.close();
    await server.close();
  }
});
