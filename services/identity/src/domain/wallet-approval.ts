import type { TypedMessage } from '@florin/evm/typed-messages';

/** The changes of a user's wallets that need the signature of an existing one. */
export type WalletChange = 'add' | 'make_primary' | 'remove';

/** The changes of a user's cards that need the signature of a wallet: those that let cards pay what they did not. */
export const CARD_CHANGES = ['limits', 'controls', 'unfreeze'] as const;
export type CardChange = (typeof CARD_CHANGES)[number];

/** A change that the signature of a user's wallet allows. */
export type Approvable =
  /** `wallet`: EIP-55. */
  | { change: WalletChange; wallet: string }
  /** `facts`: what is to hold afterwards, a line each. */
  | { change: CardChange; cardId: string; last4: string; facts: readonly string[] };

/** The wallet or card that a change is about. */
export const subjectOf = (approvable: Approvable): string => ('wallet' in approvable ? approvable.wallet : approvable.cardId);

/** Lifetime of typed data to sign. */
export const APPROVAL_LIFE_MS = 10 * 60 * 1000;

type ApprovalContext = { partnerName: string; userId: string; expiresAt: Date };

const TITLE: Readonly<Record<Approvable['change'], (partnerName: string) => string>> = {
  add: (partnerName) => `ADD a wallet to my ${partnerName} account. It will be able to sign in and to approve payments.`,
  make_primary: (partnerName) => `MAKE this wallet the primary wallet of my ${partnerName} account. The previous one can then be removed.`,
  remove: (partnerName) => `REMOVE a wallet from my ${partnerName} account. It will no longer sign in, nor approve payments.`,
  limits: (partnerName) => `CHANGE limits of a card of my ${partnerName} account.`,
  controls: (partnerName) => `CHANGE which payments a card of my ${partnerName} account permits.`,
  unfreeze: (partnerName) => `UNFREEZE a card of my ${partnerName} account. It can then pay again.`,
};

/** The text that the wallet shows. */
const approvalText = (approvable: Approvable, { partnerName, userId, expiresAt }: ApprovalContext): string =>
  [
    TITLE[approvable.change](partnerName),
    ...('wallet' in approvable
      ? [`Wallet: ${approvable.wallet}`]
      : [`Card: **** ${approvable.last4}`, `Card ID: ${approvable.cardId}`, ...approvable.facts]),
    `User: ${userId}`,
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n');

/** Typed data (EIP-712) that an existing wallet of a user signs. Its domain differs from that of every other text that wallets sign. */
export const approvalMessage = (chainId: number, approvable: Approvable, context: ApprovalContext, nonce: string): TypedMessage => ({
  domainName: 'wallet' in approvable ? 'Florin Wallets' : 'Florin Cards',
  domainVersion: '1',
  chainId,
  authorization: approvalText(approvable, context),
  nonce,
});
