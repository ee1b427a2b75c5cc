/** The mails to a user about changes of their wallets. */
const WALLET_KINDS = ['wallet_added', 'wallet_removed', 'wallet_made_primary', 'recovery_ordered', 'recovery_completed'] as const;

/** The mails about changes that other services make for a user. */
export const CARD_KINDS = [
  'phone_changing',
  'card_ordered',
  'card_replaced',
  'card_unfreezing',
  'limits_raising',
  'controls_opening',
  'device_adding',
] as const;

type WalletKind = (typeof WALLET_KINDS)[number];
export type CardKind = (typeof CARD_KINDS)[number];

/** A mail to a user about a change of what protects their money. */
export type Notice = {
  /** UUID. */
  id: string;
  kind: WalletKind | CardKind | 'signed_in_elsewhere';
  /** EIP-55: the wallet that was added or removed, became primary, is to be replaced, or signed in. */
  address?: string;
  /** Last four digits of the card, where the change is of one. */
  last4?: string;
  at: Date;
};

const SUBJECT: Readonly<Record<Notice['kind'], string>> = {
  wallet_added: 'A wallet was added to your account',
  wallet_removed: 'A wallet was removed from your account',
  wallet_made_primary: 'Your account has a new primary wallet',
  recovery_ordered: 'A wallet of your account is going to be replaced',
  recovery_completed: 'A wallet of your account was replaced',
  signed_in_elsewhere: 'New sign-in to your account',
  phone_changing: 'Your phone number is being changed',
  card_ordered: 'A card is being issued to you',
  card_replaced: 'A card of yours is being replaced',
  card_unfreezing: 'A card of yours is being unfrozen',
  limits_raising: 'Limits of a card are being raised',
  controls_opening: 'Controls of a card are being opened',
  device_adding: 'A browser is being registered for notifications',
};

const WHAT: Readonly<Record<Notice['kind'], (notice: Notice) => string>> = {
  wallet_added: ({ address }) => `The wallet ${address} can now sign in to your account.`,
  wallet_removed: ({ address }) => `The wallet ${address} can no longer sign in to your account, nor approve payments.`,
  wallet_made_primary: ({ address }) => `The wallet ${address} is now the primary wallet of your account.`,
  recovery_ordered: ({ address }) =>
    `Our support was asked to replace the wallet ${address}. It is replaced once a second person has approved this.`,
  recovery_completed: ({ address }) =>
    `Our support replaced the wallet ${address}. It can no longer sign in to your account, nor approve payments.`,
  signed_in_elsewhere: ({ address }) => `The wallet ${address} signed in on a device on which it had no session.`,
  phone_changing: () => 'The phone number of your cards is being set or changed.',
  card_ordered: () => 'A new card is being issued to you.',
  card_replaced: ({ last4 }) => `The card that ends in ${last4} is being replaced by a new one.`,
  card_unfreezing: ({ last4 }) => `The card that ends in ${last4} is being unfrozen, and can then be used again.`,
  limits_raising: ({ last4 }) => `Limits of the card that ends in ${last4} are being raised.`,
  controls_opening: ({ last4 }) => `The card that ends in ${last4} is being allowed for payments that were blocked before.`,
  device_adding: () => 'A browser is being registered to show notifications about your account, payments included.',
};

const WALLET_WARNING = 'If this was not you, sign in, remove wallets that you do not know, and tell our support at once.';
const WARNING = 'If this was not you, sign in, freeze your cards, end sessions that you do not know, and tell our support at once.';

const isOfWallets = (kind: Notice['kind']): boolean => WALLET_KINDS.some((known) => known === kind);

/** The text message to a number that is being replaced. */
export const formerPhoneText = (partnerName: string): string =>
  `${partnerName}: another phone number is being set for your cards. If this was not you, sign in, freeze your cards, and tell our support at once.`;

/** The mail about a notice. Addresses and digits contain no characters that HTML interprets. */
export const noticeText = (notice: Notice, partnerName: string): { subject: string; text: string; html: string } => {
  const { kind, at } = notice;
  const lines = [WHAT[kind](notice), `Time: ${at.toISOString()}`, isOfWallets(kind) ? WALLET_WARNING : WARNING];
  return {
    subject: `${partnerName}: ${SUBJECT[kind]}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif">${lines.map((line) => `<p>${line}</p>`).join('')}</body></html>`,
  };
};
