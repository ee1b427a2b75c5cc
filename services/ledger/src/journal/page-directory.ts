import { parentOf } from '../domain/placement.ts';
import type { PageVersion } from './ports.ts';

/** Which version of each page is current, and which slot the next one goes into. */
export type PageDirectory = {
  /**
   * The current version that holds a page's accounts: its own, or that of the nearest page that it was split from; undefined when none
   * has been stored.
   */
  resolve: (page: string) => PageVersion | undefined;
  /** Slot for the next version: never the one that the checkpoint needs. */
  slotFor: (page: string) => 0 | 1;
  /** Notes that a version has been stored. */
  stored: (version: PageVersion) => void;
  /** Called when a checkpoint at block n was stored. */
  covered: (n: number) => void;
  /** The latest block that a stored version is as of, left-over ones included. */
  newest: () => number;
};

/**
 * @param versions what is stored
 * @param checkpoint block of the checkpoint; versions of later blocks are left over from a flush that did not end, and are ignored
 */
export const createPageDirectory = (versions: readonly PageVersion[], checkpoint: number): PageDirectory => {
  const current = new Map<string, PageVersion>();
  let covered = checkpoint;
  let newest = 0;
  for (const version of versions) {
    const { page, asOf } = version;
    newest = Math.max(newest, asOf);
    if (asOf <= checkpoint && asOf > (current.get(page)?.asOf ?? -1)) current.set(page, version);
  }
  return {
    resolve: (page) => {
      for (let name: string | undefined = page; name !== undefined; name = parentOf(name)) {
        const version = current.get(name);
        if (version !== undefined) return version;
      }
      return undefined;
    },
    slotFor: (page) => {
      const version = current.get(page);
      if (version === undefined) return 0;
      // A version that no checkpoint covers yet is replaced; the one before it, in the other slot, is kept.
      return version.asOf > covered ? version.slot : version.slot === 0 ? 1 : 0;
    },
    stored: (version) => {
      current.set(version.page, version);
    },
    covered: (n) => {
      covered = Math.max(covered, n);
    },
    newest: () => newest,
  };
};
