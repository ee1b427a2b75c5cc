import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createChainNodes } from '@florin/evm/chain';
import { createChainContractSigners } from '@florin/evm/contract-signers';
import { type AskContract, checkReceipt } from './receipts/check-receipt.ts';

const USAGE = 'npm run verify-receipt -- FILE [--rpc URL]';
const RPC_TIMEOUT_MS = 10_000;

const askAt =
  (url: string): AskContract =>
  (question, digest, blockNumber) =>
    createChainContractSigners(
      createChainNodes({ urls: { [question.chainId]: [url] }, timeoutMs: RPC_TIMEOUT_MS, maxAgeMs: 0, now: () => new Date() }),
    ).acceptedAt(question, digest, blockNumber);

/** The messages of an error and its causes. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
};

/** Prints each verified fact on a line, then `verified`, or the first fact that does not hold. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options: { rpc: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error(USAGE);
  const ask = values.rpc === undefined ? undefined : askAt(values.rpc);
  let open = 0;
  for await (const finding of checkReceipt(await readFile(file, 'utf8'), ask)) {
    open += finding.open === true ? 1 : 0;
    process.stdout.write(`${finding.open === true ? 'open' : 'ok  '}  ${finding.text}\n`);
  }
  process.stdout.write(open === 0 ? 'verified\n' : 'verified except for open facts\n');
};

main().catch((error: unknown) => {
  process.stdout.write(`FAIL  ${reasonOf(error)}\n`);
  process.exitCode = 1;
});
