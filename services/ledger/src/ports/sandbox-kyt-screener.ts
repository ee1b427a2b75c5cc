import type { KytScreener, Screening } from './kyt-screener.ts';

/** Verdicts by the end of the transaction hash, or of the address of the sender or recipient, as documented at `RecordDepositRequest.tx_hash`. */
const BY_END: readonly (readonly [end: string, screening: Screening])[] = [
  ['00000bad', { result: 'reject', riskScore: 95, riskTier: 'high' }],
  ['0000401d', { result: 'hold', riskScore: 50, riskTier: 'medium' }],
];

const HARMLESS: Screening = { result: 'approve', riskScore: 5, riskTier: 'low' };

const verdictOn = (...texts: string[]): Screening =>
  BY_END.find(([end]) => texts.some((text) => text.toLowerCase().endsWith(end)))?.[1] ?? HARMLESS;

/** Creates the simulated screener of the sandbox: hash and addresses alone determine the verdict, so that tests can choose it; on a chain, nobody chooses a hash. */
export const createSandboxKytScreener = (): KytScreener => ({
  screen: async ({ txHash, senderAddress }) => verdictOn(txHash, senderAddress),
  screenRecipient: async ({ recipientAddress }) => verdictOn(recipientAddress),
});
