/** The mails to a user about their wallets. */
export type WalletNotice = {
  /** UUID. */
  id: string;
  kind: 'wallet_added' | 'wallet_removed' | 'wallet_made_primary' | 'recovery_ordered' | 'recovery_completed';
  /** EIP-55: the wallet that was added or removed, became primary, or is to be replaced. */
  address: string;
  at: Date;
};

const SUBJECT: Readonly<Record<WalletNotice['kind'], string>> = {
  wallet_added: 'A wallet was added to your account',
  wallet_removed: 'A wallet was removed from your account',
  wallet_made_primary: 'Your account has a new primary wallet',
  recovery_ordered: 'A wallet of your account is going to be replaced',
  recovery_completed: 'A wallet of your account was replaced',
};

const WHAT: Readonly<Record<WalletNotice['kind'], (address: string) => string>> = {
  wallet_added: (address) => `The wallet ${address} can now sign in to your account.`,
  wallet_removed: (address) => `The wallet ${address} can no longer sign in to your account, nor approve payments.`,
  wallet_made_primary: (address) => `The wallet ${address} is now the primary wallet of your account.`,
  recovery_ordered: (address) =>
    `Our support was asked to replace the wallet ${address}. It is replaced once a second person has approved this.`,
  recovery_completed: (address) =>
    `Our support replaced the wallet ${address}. It can no longer sign in to your account, nor approve payments.`,
};

const WARNING = 'If this was not you, sign in, remove wallets that you do not know, and tell our support at once.';

/** The mail about a notice. Addresses contain no characters that HTML interprets. */
export const walletNoticeText = (
  { kind, address, at }: WalletNotice,
  partnerName: string,
): { subject: string; text: string; html: string } => {
  const lines = [WHAT[kind](address), `Time: ${at.toISOString()}`, WARNING];
  return {
    subject: `${partnerName}: ${SUBJECT[kind]}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif">${lines.map((line) => `<p>${line}</p>`).join('')}</body></html>`,
  };
};
