import { parseArgs } from 'node:util';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { createOperatorCall } from './operator-call.ts';
import { ROOT_DIR, runMain } from './run-main.ts';

const RPC = 'florin.chain.v1.ReconciliationService/ReconcileBalances';
const PAGE_ACCOUNTS = 100;

/** Fields are left out when they have their default value. */
type Difference = Partial<
  Record<
    'accountId' | 'token' | 'blockNumber' | 'onChain' | 'expected' | 'unseen' | 'unbooked' | 'inLedger' | 'elsewhere' | 'refused',
    string
  >
>;
type Page = {
  compared?: number;
  differences?: readonly Difference[];
  blocks?: readonly { chainId: number; number?: string; hash: string }[];
  page?: { nextCursor?: string };
};

const COLUMNS = [
  ['account', 'accountId'],
  ['token', 'token'],
  ['block', 'blockNumber'],
  ['on chain', 'onChain'],
  ['expected', 'expected'],
  ['not seen', 'unseen'],
  ['not booked', 'unbooked'],
  ['in ledger', 'inLedger'],
  ['elsewhere', 'elsewhere'],
  ['refused', 'refused'],
] as const satisfies readonly (readonly [string, keyof Difference])[];

/** Rows as text in aligned columns; amounts are aligned to the right. */
const tableOf = (differences: readonly Difference[]): string => {
  const rows = [COLUMNS.map(([title]) => title), ...differences.map((one) => COLUMNS.map(([, field]) => one[field] ?? '0'))];
  const widths = COLUMNS.map((_column, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const align = (cell: string, index: number) => (index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0));
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
};

/**
 * `npm run reconcile`: compares the balance of every account on the chain with the ledger, and prints those that differ, in the tokens' smallest
 * units. Exit code 0: all agree. 1: some differ, or the comparison failed.
 */
const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), ROOT_DIR).dataDir;
  const call = createOperatorCall(dataDir, 'chain', [CHAIN_SCOPES.readBalances]);
  const differences: Difference[] = [];
  const blocks = new Map<number, string>();
  let compared = 0;
  let cursor = '';
  do {
    const page = await call<Page>(RPC, { page: { limit: PAGE_ACCOUNTS, cursor } });
    compared += page.compared ?? 0;
    differences.push(...(page.differences ?? []));
    for (const { chainId, number = '0', hash } of page.blocks ?? []) blocks.set(chainId, `block ${number} (${hash}) of chain ${chainId}`);
    cursor = page.page?.nextCursor ?? '';
  } while (cursor !== '');
  const end = blocks.size === 0 ? '' : ` up to ${[...blocks.values()].join(', ')}`;
  if (differences.length > 0) process.stdout.write(`${tableOf(differences)}\n`);
  process.stdout.write(
    `Accounts compared${end}: ${compared}. Balances: ${differences.length === 0 ? 'all agree' : `${differences.length} different`}.\n`,
  );
  return differences.length === 0 ? 0 : 1;
};

runMain(main);
