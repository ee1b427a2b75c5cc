import type { KytScreener, Screening } from './screener.ts';

/** The end of a transaction's hash says what the sandbox makes of it, as `RecordDepositRequest.tx_hash` promises. */
const BY_END_OF_HASH: readonly (readonly [end: string, screening: Screening])[] = [
  ['00000bad', { result: 'reject', riskScore: 95, riskTier: 'high' }],
  ['0000401d', { result: 'hold', riskScore: 50, riskTier: 'medium' }],
];

const HARMLESS: Screening = { result: 'approve', riskScore: 5, riskTier: 'low' };

/** Stands for a provider in the sandbox: the same deposit always gets the same verdict, and everyone can choose it. */
export const createSandboxScreener = (): KytScreener => ({
  screen: async ({ txHash }) => BY_END_OF_HASH.find(([end]) => txHash.endsWith(end))?.[1] ?? HARMLESS,
});
