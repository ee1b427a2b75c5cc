import { parseArgs } from 'node:util';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { processEnvironment } from './environment.ts';
import { lastOperatorCall } from './operator-call.ts';
import { ROOT_DIR, runMain } from './run-main.ts';

const RPC = 'florin.card.v1.PaymentService/ReplayPayments';
const PAGE_PAYMENTS = 50;

/** Fields are left out when they have their default value. */
type Page = {
  payments?: number;
  orders?: number;
  skippedPaymentIds?: readonly string[];
  rejectedPaymentIds?: readonly string[];
  page?: { nextCursor?: string };
};

const USAGE = 'usage: npm run card -- replay [--since 2026-01-31T12:00:00Z]';

const lineOf = (ids: readonly string[], what: string): string =>
  ids.length === 0 ? '' : `${ids.length} ${what}:\n${ids.map((id) => `  ${id}\n`).join('')}`;

/**
 * `npm run card -- replay`: lets the card service of the running platform order from the ledger again what its payments have ordered. Exit code 0: the ledger
 * has everything. 1: some payments need a person, or the command failed.
 */
const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({ options: { since: { type: 'string' } }, allowPositionals: true });
  const since = values.since === undefined ? undefined : new Date(values.since);
  if (positionals.join(' ') !== 'replay' || Number.isNaN(since?.getTime())) throw new Error(USAGE);
  const call = lastOperatorCall(processEnvironment(), ROOT_DIR, 'card', [CARD_SCOPES.writePayments]);
  const skipped: string[] = [];
  const rejected: string[] = [];
  let [payments, orders] = [0, 0];
  let cursor = '';
  do {
    const changedSince = since === undefined ? {} : { changedSince: since.toISOString() };
    const page = await call<Page>(RPC, { ...changedSince, page: { limit: PAGE_PAYMENTS, cursor } });
    payments += page.payments ?? 0;
    orders += page.orders ?? 0;
    skipped.push(...(page.skippedPaymentIds ?? []));
    rejected.push(...(page.rejectedPaymentIds ?? []));
    cursor = page.page?.nextCursor ?? '';
  } while (cursor !== '');
  process.stdout.write(lineOf(skipped, 'payments of an earlier release were left alone, compare them with the ledger'));
  process.stdout.write(lineOf(rejected, 'payments have orders that the ledger rejects, look at their accounts'));
  process.stdout.write(`Payments: ${payments}. Orders that the ledger has now: ${orders}.\n`);
  return skipped.length + rejected.length === 0 ? 0 : 1;
};

runMain(main);
