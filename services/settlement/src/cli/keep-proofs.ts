import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { saveReserves } from '@florin/evm/reserves/save';
import { isEarlier, isTimely, MAX_PROOF_HOURS, type ProofName } from '../domain/report.ts';

/** A proof of reserves in the directory of the daily reports. */
type Kept = { path: string; chainId: number; at: string };

const NAME = /^(\d+)-(\S+)\.reserves$/;

/** The proofs of chains in a directory, the latest first. */
const keptIn = async (directory: string, chainIds: readonly number[]): Promise<Kept[]> => {
  const found = (await readdir(directory)).flatMap((name): Kept[] => {
    const [, chainId, at] = NAME.exec(name) ?? [];
    return at === undefined || !chainIds.includes(Number(chainId)) ? [] : [{ path: join(directory, name), chainId: Number(chainId), at }];
  });
  return found.toSorted((a, b) => (a.at > b.at ? -1 : 1));
};

/**
 * Saves the newest proof of reserves of each chain in a directory, once.
 * @param read reads and checks a proof
 * @returns those that are less than MAX_PROOF_HOURS old, and all that are kept
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
}): Promise<{ newest: Kept[]; kept: Kept[] }> => {
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
  return { newest, kept: await keptIn(directory, chainIds) };
};

/** The paths of the first proof of each chain that a report of a day may be compared with, and of those of the day before these. */
export const proofsOf = (kept: readonly Kept[], day: string): { reserves: string[]; earlier: string[] } => {
  const timely = kept.filter(({ at }) => isTimely(at, day));
  const first = timely.filter(({ chainId }, index) => timely.findLastIndex((one) => one.chainId === chainId) === index);
  const before = first.flatMap(({ chainId, at }) => kept.find((one) => one.chainId === chainId && isEarlier(one.at, at)) ?? []);
  return { reserves: first.map(({ path }) => path), earlier: before.map(({ path }) => path) };
};
