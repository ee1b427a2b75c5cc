import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveReserves } from '@florin/evm/reserves/save';
import { isEarlier, MAX_PROOF_HOURS, type ProofName } from '../domain/report.ts';

type Kept = { path: string; chainId: number; at: string };

const NAME = /^(\d+)-(\S+)\.reserves$/;

/** The proofs in a directory, the latest first. */
const keptIn = async (directory: string): Promise<Kept[]> => {
  const found = (await readdir(directory)).flatMap((name): Kept[] => {
    const [, chainId, at] = NAME.exec(name) ?? [];
    return chainId === undefined || at === undefined ? [] : [{ path: join(directory, name), chainId: Number(chainId), at }];
  });
  return found.toSorted((a, b) => (a.at > b.at ? -1 : 1));
};

/**
 * Saves the newest proof of reserves of each chain in a directory, once.
 * @param read reads and checks a proof
 * @returns those that are less than MAX_PROOF_HOURS old, and of each that is kept one of the day before it
 * @throws Error when a proof cannot be read or does not check, or there is none of these of any chain
 */
export const keepProofs = async ({
  directory,
  gatewayUrl,
  chainIds,
  read,
  now,
  say,
}: {
  directory: string;
  gatewayUrl: string;
  chainIds: readonly number[];
  read: (path: string) => ProofName;
  now: Date;
  say: (line: string) => void;
}): Promise<{ newest: Kept[]; earlier: string[] }> => {
  const newest: Kept[] = [];
  for (const chainId of chainIds) {
    const unfinished = join(directory, `${randomUUID()}.unfinished`);
    try {
      await saveReserves({ gatewayUrl, chainId }, unfinished);
    } catch (error) {
      // Any other failure says nothing of the chain: the scheduler tries again.
      if (!(error instanceof Error && error.cause === 'RESERVES_NOT_FOUND')) throw error;
      say(`chain ${chainId} has no proof of reserves`);
      continue;
    }
    try {
      const { at } = read(unfinished);
      const path = join(directory, `${chainId}-${at}.reserves`);
      await rename(unfinished, path);
      // One that stands still must not hold up the reports of the other chains.
      if (now.getTime() - Date.parse(at) > MAX_PROOF_HOURS * 3_600_000) say(`chain ${chainId} has no proof of reserves since ${at}`);
      else newest.push({ path, chainId, at });
    } finally {
      await rm(unfinished, { force: true });
    }
  }
  if (newest.length === 0) throw new Error(`${gatewayUrl} has no proof of reserves of the last ${MAX_PROOF_HOURS} hours`);
  const kept = await keptIn(directory);
  const earlier = newest.flatMap(({ chainId, at }) => kept.find((one) => one.chainId === chainId && isEarlier(one.at, at))?.path ?? []);
  return { newest, earlier };
};
