/** Why nothing of a token is spent: its issuer has frozen the Safe of one account, has paused the token, or has exchanged its code. */
export type TokenBlockReason = 'frozen' | 'paused' | 'upgraded';

/** A token that cannot be spent, because it cannot be moved, or may not do what it did. */
export type TokenBlock = {
  /** Symbol. */
  token: string;
  reason: TokenBlockReason;
  /** Absent: it concerns all accounts. */
  accountId?: string;
  since: Date;
};
