import { type Hex, hashTypedData } from 'viem';

/** What the signature of an existing wallet allows: adding a wallet, or making one the primary wallet. */
export type WalletChange = 'add' | 'make_primary';

/** Lifetime of typed data to sign. */
export const APPROVAL_LIFE_MS = 10 * 60 * 1000;

/** Members of the struct type `Message`. Their order is part of the encoding (EIP-712, encodeType). */
const MESSAGE_TYPE = [
  { name: 'authorization', type: 'string' },
  { name: 'nonce', type: 'uint256' },
] as const;

/** Differs from the domain of every other text that wallets sign, so that no signature serves for two purposes. */
const DOMAIN = { name: 'Florin Wallets', version: '1' } as const;

/** Typed data (EIP-712) that an existing wallet of a user signs. The nonce is a decimal string. */
export type WalletApproval = { domainName: string; domainVersion: string; chainId: number; authorization: string; nonce: string };

export type ApprovalFacts = { change: WalletChange; partnerName: string; userId: string; wallet: string; expiresAt: Date };

const TITLE: Readonly<Record<WalletChange, (partnerName: string) => string>> = {
  add: (partnerName) => `ADD a wallet to my ${partnerName} account. It will be able to sign in and to approve payments.`,
  make_primary: (partnerName) => `MAKE this wallet the primary wallet of my ${partnerName} account. The previous one can then be removed.`,
};

/** The text that the wallet shows. */
export const approvalText = ({ change, partnerName, userId, wallet, expiresAt }: ApprovalFacts): string =>
  [TITLE[change](partnerName), `Wallet: ${wallet}`, `User: ${userId}`, `Expires: ${expiresAt.toISOString()}`].join('\n');

export const walletApproval = (chainId: number, message: { authorization: string; nonce: string }): WalletApproval => ({
  domainName: DOMAIN.name,
  domainVersion: DOMAIN.version,
  chainId,
  ...message,
});

/** The 32 bytes that are signed. */
export const approvalDigest = ({ domainName, domainVersion, chainId, authorization, nonce }: WalletApproval): Hex =>
  hashTypedData({
    domain: { name: domainName, version: domainVersion, chainId },
    types: { Message: MESSAGE_TYPE },
    primaryType: 'Message',
    message: { authorization, nonce: BigInt(nonce) },
  });
