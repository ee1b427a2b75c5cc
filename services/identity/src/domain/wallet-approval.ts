import type { TypedMessage } from '@florin/evm/typed-messages';

/** The change that the signature of an existing wallet allows: adding a wallet, or making one the primary wallet. */
export type WalletChange = 'add' | 'make_primary';

/** Lifetime of typed data to sign. */
export const APPROVAL_LIFE_MS = 10 * 60 * 1000;

export type ApprovalFacts = { change: WalletChange; partnerName: string; userId: string; wallet: string; expiresAt: Date };

const TITLE: Readonly<Record<WalletChange, (partnerName: string) => string>> = {
  add: (partnerName) => `ADD a wallet to my ${partnerName} account. It will be able to sign in and to approve payments.`,
  make_primary: (partnerName) => `MAKE this wallet the primary wallet of my ${partnerName} account. The previous one can then be removed.`,
};

/** The text that the wallet shows. */
export const approvalText = ({ change, partnerName, userId, wallet, expiresAt }: ApprovalFacts): string =>
  [TITLE[change](partnerName), `Wallet: ${wallet}`, `User: ${userId}`, `Expires: ${expiresAt.toISOString()}`].join('\n');

/** Typed data (EIP-712) that an existing wallet of a user signs. Its domain differs from that of every other text that wallets sign. */
export const walletApproval = (chainId: number, message: { authorization: string; nonce: string }): TypedMessage => ({
  domainName: 'Florin Wallets',
  domainVersion: '1',
  chainId,
  authorization: message.authorization,
  nonce: message.nonce,
});
