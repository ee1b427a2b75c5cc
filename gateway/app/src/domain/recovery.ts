import type { Recovery } from '@florin/client';

const WEEK_MS = 7 * 24 * 3_600_000;

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();

/**
 * True if the wallet of the session can name a backup key: it owns the Safe, and has a node, without which the file for leaving cannot be made any more.
 * @param wallet the one that signed in; `isTest` of the sandbox's, which has no node
 */
export const canNameBackup = (
  { status, deployment }: { status: string; deployment: { status: string; owner: string } },
  wallet: { address: string; isTest: boolean } | undefined,
): boolean => {
  // An account is active a moment before its Safe is stated as verified.
  const isSetUp = status === 'active' && (deployment.status === 'verified' || deployment.status === 'relaying');
  return isSetUp && isSame(wallet?.address, deployment.owner) && wallet?.isTest === false;
};

type State = { owner: string; replacement?: string | undefined; status?: Recovery['status'] | undefined };

/** The steps of a recovery that the session of a wallet can take: only that of the wallet that has replaced the owner takes any. */
export const recoverySteps = (wallet: string | undefined, { owner, replacement, status }: State): { request: boolean; stop: boolean } => {
  const isReplacement = isSame(wallet, replacement);
  const isOpen = status === 'requested' || status === 'waiting';
  return { request: isReplacement && !isOpen && !isSame(wallet, owner), stop: isReplacement && status === 'waiting' };
};

type News = Pick<Recovery, 'status' | 'createdAt'> & {
  executableAt?: string | undefined;
  replacement?: string | undefined;
  blocked: boolean;
};

/** True if a recovery is to be told of: as long as it is open, while a stopped one can be requested again, and a week after a completed one. */
export const isRecoveryNews = ({ status, createdAt, executableAt, replacement, blocked }: News, now: number): boolean => {
  switch (status) {
    case 'requested':
    case 'waiting':
      return true;
    case 'cancelled':
      return blocked && replacement !== undefined;
    case 'completed':
      return blocked && now < Date.parse(executableAt ?? createdAt) + WEEK_MS;
  }
};
