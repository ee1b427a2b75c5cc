import type { KytScreener, Screening } from './kyt-screener.ts';

/** Verdicts by the end of the transaction hash, as documented at `RecordDepositRequest.tx_hash`. */
const BY_END_OF_HASH: readonly (readonly [end: string, screening: Screening])[] = [
  ['00000bad', { result: 'reject', riskScore: 95, riskTier: 'high' }],
  ['0000401d', { result: 'hold', riskScore: 50, riskTier: 'medium' }],
];

const HARMLESS: Screening = { result: 'approve', riskScore: 5, riskTier: 'low' };

/** Creates the simulated screener of the sandbox: the transaction hash alone determines the verdict, so that tests can choose it. */
export const createSandboxKytScreener = (): KytScreener => ({
  screen: async ({ txHash }) => BY_END_OF_HASH.find(([end]) => txHash.endsWith(end))?.[1] ?? HARMLESS,
});
