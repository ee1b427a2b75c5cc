import { processEnvironment } from '@florin/rpc/config';
import type { Row } from '../row.ts';
import { sized } from '../sized.ts';
import { benchCollections } from './collections.ts';
import { benchReports } from './reports.ts';

/** Accounts that are collected from, and payments of a report; fewer are for trying the bench. */
const ACCOUNTS = Number(processEnvironment()['BENCH_ACCOUNTS'] ?? sized(10_000, 30));
const PAYMENTS = Number(processEnvironment()['BENCH_PAYMENTS'] ?? sized(1_000_000, 1000));

export const benchSettlement = async (report: (line: string) => void): Promise<Row[]> => [
  ...(await benchCollections(ACCOUNTS, report)),
  ...(await benchReports(PAYMENTS, report)),
];
