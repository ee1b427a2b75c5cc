import type { WalletCaller } from './caller.ts';

/**
 * Names of what makes access tokens invalid before they expire, as processes announce them to each other: the id of a session, or one of the
 * names below, which stand for any number of sessions or tokens.
 */

/** Every session that a wallet opened at a partner in one epoch. The removal of the wallet ends the epoch. */
export const walletSessions = ({ partnerId, wallet, epoch }: { partnerId: string; wallet: string; epoch: number }): string =>
  `wallet:${partnerId}:${wallet.toLowerCase()}:${epoch}`;

/** Every token that one key signed. */
export const tokensOfKey = (kid: string): string => `key:${kid}`;

/** The names whose revocation invalidates the token of a caller. */
export const revocationNames = ({ sessionId, partnerId, wallet, walletEpoch = 0, kid }: WalletCaller): readonly string[] => [
  sessionId,
  walletSessions({ partnerId, wallet, epoch: walletEpoch }),
  ...(kid === undefined ? [] : [tokensOfKey(kid)]),
];
