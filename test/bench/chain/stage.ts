import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureKeys, type Platform, startPlatform } from '@florin/local';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { WatchService } from '@florin/proto/chain/v1/watch_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { DEFAULT_ASSETS, findToken } from '@florin/rpc/assets';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { benchEnvironment, ROOT } from '../../support/settings.ts';
import { openAccounts } from '../ledger/accounts.ts';
import { type BenchNode, startBenchNode } from './bench-node.ts';

const TOKEN = 'EURe';

export type BenchSafe = { accountId: string; safe: string };

/** The platform on a chain of prepared blocks. */
export type ChainStage = {
  node: BenchNode;
  platform: Platform;
  /** Contract of the token that moves. */
  contract: string;
  /** Opens active accounts through the ledger's own RPCs. */
  openAccounts: (count: number) => Promise<BenchSafe[]>;
  /** Number of the last block that is booked. */
  booked: () => Promise<number>;
  /** The amount that an account may spend of the token, in its smallest unit. */
  spendable: (accountId: string) => Promise<number>;
  close: () => Promise<void>;
};

/**
 * @param pollMs pause between two looks at the chain
 * The balances of all accounts are not compared meanwhile: that has a rate of its own, and the prepared chain has no contracts to ask.
 */
export const openChainStage = async (pollMs: number, report: (line: string) => void): Promise<ChainStage> => {
  const { chainId } = DEFAULT_ASSETS.accounts;
  const contract = findToken(DEFAULT_ASSETS, TOKEN)?.address ?? '';
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const node = await startBenchNode(contract, chainId);
  const env = {
    ...benchEnvironment(),
    CHAIN_RPC_URLS: JSON.stringify({ [chainId]: node.url }),
    CHAIN_START_BLOCKS: JSON.stringify({ [chainId]: 0 }),
    CHAIN_POLL_MS: String(pollMs),
    RECONCILE_ACCOUNTS_PER_SECOND: '0',
    RESERVES_INTERVAL_SECONDS: '0',
  };
  const platform = await startPlatform({ rootDir: ROOT, dataDir, env, report });
  const keys = await ensureKeys(dataDir);
  const key = serviceKeySchema.parse(JSON.parse(await readFile(keys.keyFile('operator'), 'utf8')));
  const connect = (audience: string, baseUrl: string, scopes: string[]) =>
    createRpcChannel({ baseUrl, serviceToken: createServiceTokenSource({ key, audience, scopes }), timeoutMs: 30_000 });
  const chain = connect('chain', platform.urls.chain ?? '', [CHAIN_SCOPES.readWatches]);
  const ledger = connect('ledger', platform.urls.ledger, [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.readBalances]);
  const [watches, accounts, balances] = [chain.client(WatchService), ledger.client(AccountService), ledger.client(BalanceService)];

  return {
    node,
    platform,
    contract,
    openAccounts: (count) => openAccounts({ clients: { accounts } }, count, report),
    booked: async () => Number((await watches.listChainWatches({})).watches[0]?.blockNumber ?? 0n),
    spendable: async (accountId) => {
      const { currencies } = await balances.getAccountBalances({ accountId });
      return Number(currencies.flatMap(({ tokens }) => tokens).find(({ token }) => token === TOKEN)?.spendable ?? 0);
    },
    close: async () => {
      await Promise.all([chain.close(), ledger.close()]);
      await platform.stop();
      await node.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
