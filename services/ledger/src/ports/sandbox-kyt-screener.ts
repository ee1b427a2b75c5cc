import type { KytScreener, Screening } from './kyt-screener.ts';

/** Verdicts by the end of the transaction hash, or of the recipient's address, as documented at `RecordDepositRequest.tx_hash`. */
const BY_END: readonly (readonly [end: string, screening: Screening])[] = [
  ['00000bad', { result: 'reject', riskScore: 95, riskTier: 'high' }],
  ['0000401d', { result: 'hold', riskScore: 50, riskTier: 'medium' }],
];

const HARMLESS: Screening = { result: 'approve', riskScore: 5, riskTier: 'low' };

const verdictOn = (text: string): Screening => BY_END.find(([end]) => text.toLowerCase().endsWith(end))?.[1] ?? HARMLESS;

/** Creates the simulated screener of the sandbox: the transaction hash, or the address, alone determines the verdict, so that tests can choose it. */
export const createSandboxKytScreener = (): KytScreener => ({
  screen: async ({ txHash }) => verdictOn(txHash),
  screenRecipient: async ({ recipientAddress }) => verdictOn(recipientAddress),
});
