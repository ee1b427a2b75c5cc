import { ConfigError } from '@florin/rpc/config';
import { createJsonHttp, type JsonHttp } from '@florin/rpc/json-http';
import { z } from 'zod';
import type { LedgerConfig } from '../config.ts';
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

const answerSchema = z.object({
  result: z.enum(['approve', 'reject', 'hold']),
  riskScore: z.int().min(0).max(100),
  riskTier: z.string().min(1).max(64),
});

/**
 * Creates a screener that sends deposits to a provider: `POST /screenings` returns `{result, riskScore, riskTier}`. The deposit's id in
 * the body identifies the screening; repeated requests return its current state. They carry no Idempotency-Key, which would replay an
 * earlier `hold`. `POST /recipients` returns the same about the recipient of a withdrawal.
 */
export const createHttpKytScreener = (http: JsonHttp): KytScreener => ({
  screen: async (deposit) => answerSchema.parse(await http.post('/screenings', deposit)),
  screenRecipient: async (recipient) => answerSchema.parse(await http.post('/recipients', recipient)),
});

/**
 * Returns the screener that `KYT` selects; undefined when an external system screens deposits and calls ResolveDeposit.
 * @param defer registers a function to run at shutdown
 * @throws ConfigError when the configuration of the screener is missing or not allowed
 */
export const chooseKytScreener = (
  config: Pick<LedgerConfig, 'SANDBOX' | 'KYT' | 'KYT_URL' | 'KYT_TOKEN' | 'KYT_TIMEOUT_MS'>,
  defer: (release: () => unknown) => void,
): KytScreener | undefined => {
  const { SANDBOX, KYT = SANDBOX ? 'sandbox' : 'off', KYT_URL: url, KYT_TOKEN: token, KYT_TIMEOUT_MS: deadlineMs } = config;
  if (KYT === 'off') return undefined;
  if (KYT === 'sandbox') {
    // A simulated verdict must not make money spendable.
    if (!SANDBOX) throw new ConfigError('KYT: sandbox needs SANDBOX=true');
    return createSandboxKytScreener();
  }
  if (url === undefined || token === undefined) throw new ConfigError('KYT_URL, KYT_TOKEN: are required with KYT=http');
  const http = createJsonHttp({ url, token, deadlineMs });
  defer(http.close);
  return createHttpKytScreener(http);
};
