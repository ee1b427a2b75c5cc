import type { Hex } from 'viem';
import type { Client } from '../create-client.ts';
import type { TypedMessage } from '../generated/schemas.ts';
import type { Input } from '../operations.ts';
import { EXPIRES, expectTypedText } from './expected-text.ts';
import { formatAmount } from './format-amount.ts';
import { signTyped, type Wallet } from './wallet.ts';

const WALLET_TITLE = {
  add: /^ADD a wallet to my .+ account\. It will be able to sign in and to approve payments\.$/,
  make_primary: /^MAKE this wallet the primary wallet of my .+ account\. The previous one can then be removed\.$/,
  remove: /^REMOVE a wallet from my .+ account\. It will no longer sign in, nor approve payments\.$/,
} as const;

/** An address in any case. */
export const anyCase = (before: string, address: string): RegExp => new RegExp(`^${before}${address}$`, 'i');

const sign = async (client: Client, wallet: Wallet, typedData: TypedMessage, purpose: string, lines: (string | RegExp)[]): Promise<Hex> => {
  const userId = await client.session.userId();
  expectTypedText(typedData, purpose, [...lines, userId === undefined ? /^User: \S+$/ : `User: ${userId}`, EXPIRES]);
  return signTyped(wallet, typedData);
};

/** Has a wallet of the user approve a change of wallets. */
export const approveWallet = async (client: Client, approver: Wallet, address: string, change: keyof typeof WALLET_TITLE): Promise<Hex> => {
  const typedData = await client.user.createWalletChallenge({ wallet: address, change });
  return sign(client, approver, typedData, 'Florin Wallets', [WALLET_TITLE[change], anyCase('Wallet: ', address)]);
};

type Limits = Input<'cards.updateCardLimits'>;
type Controls = Input<'cards.updateCardControls'>;

const LIMITS = [
  ['perTransaction', 'Per payment'],
  ['daily', 'Per day'],
  ['weekly', 'Per week'],
  ['monthly', 'Per month'],
  ['atm', 'Cash per day'],
] as const;

/** Digits of a currency's minor unit (ISO 4217). */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

const limitFacts = (limits: Limits): string[] =>
  LIMITS.flatMap(([name, label]) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    return [`${label}: ${limit ? `${formatAmount(limit.amount, digitsOf(limit.currency))} ${limit.currency}` : 'as the card program'}`];
  });

const SWITCHES = [
  ['online', 'Online payments'],
  ['contactless', 'Contactless payments'],
  ['atm', 'Cash withdrawals'],
  ['singleUse', 'Single use'],
] as const;
const LISTS = [
  ['countries', 'Countries'],
  ['categories', 'Categories'],
  ['merchants', 'Merchants'],
] as const;
const SIDES = [
  ['allow', 'allowed', 'all'],
  ['deny', 'blocked', 'none'],
] as const;

const controlFacts = (controls: Controls): string[] => [
  ...SWITCHES.flatMap(([name, label]) => (controls[name] === undefined ? [] : [`${label}: ${controls[name] ? 'on' : 'off'}`])),
  ...LISTS.flatMap(([name, label]) =>
    SIDES.flatMap(([side, word, none]) => {
      const values = controls[name]?.[side];
      if (!values) return [];
      const shown = [...values].sort().map((value) => (name === 'merchants' ? JSON.stringify(value) : value));
      return [`${label} ${word}: ${shown.join(', ') || none}`];
    }),
  ),
];

/** A change that lets through what was not. */
export type ApprovedChange =
  /** The same limits or controls as in the request that makes the change. */
  | { change: 'limits'; given: Limits }
  | { change: 'controls'; given: Controls }
  | { change: 'unfreeze'; given: { cardId: string } }
  | { change: 'remove_wallet'; given: { address: string } };

/** The first line of the text of a change of a card, its facts, and the typed data. */
const ofCard = (client: Client, one: Exclude<ApprovedChange, { change: 'remove_wallet' }>): [RegExp, string[], Promise<TypedMessage>] => {
  switch (one.change) {
    case 'limits':
      return [/^CHANGE limits of a card of my .+ account\.$/, limitFacts(one.given), client.cards.createCardLimitsChallenge(one.given)];
    case 'controls':
      return [
        /^CHANGE which payments a card of my .+ account permits\.$/,
        controlFacts(one.given),
        client.cards.createCardControlsChallenge(one.given),
      ];
    case 'unfreeze':
      return [/^UNFREEZE a card of my .+ account\. It can then pay again\.$/, [], client.cards.createUnfreezeChallenge(one.given)];
  }
};

/**
 * Has a wallet of the user approve a change for which the platform returns APPROVAL_REQUIRED: a higher limit, an opened control, the end of a freeze, or the
 * removal of a wallet. The wallet is not asked unless every line of the text fits the change.
 * @returns the `approval` of the request that makes the change, which has to be the same
 * @throws UnexpectedTextError, FlorinError, and what the wallet throws
 */
export const approveChange = async (client: Client, wallet: Wallet, one: ApprovedChange): Promise<Hex> => {
  if (one.change === 'remove_wallet') return approveWallet(client, wallet, one.given.address, 'remove');
  const [title, facts, issued] = ofCard(client, one);
  const lines = [title, /^Card: \*{4} \d{4}$/, `Card ID: ${one.given.cardId}`, ...facts];
  return sign(client, wallet, await issued, 'Florin Cards', lines);
};
