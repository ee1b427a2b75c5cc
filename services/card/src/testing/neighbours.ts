import { createHash } from 'node:crypto';
import { NoticeKind, UserService } from '@florin/proto/identity/v1/user_service';
import { VerificationService } from '@florin/proto/identity/v1/verification_service';
import { type CardChange, WalletService } from '@florin/proto/identity/v1/wallet_service';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { CardNumberService } from '@florin/proto/vault/v1/card_number_service';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod, userMethod } from '@florin/rpc/server';
import { implementPart, startNeighbour, type TestAuthority } from '@florin/rpc/testing';

type TestAccount = { id: string; status: AccountStatus } | { error: ErrorCode };

/** A ledger that serves the accounts in `accounts`, keyed by user, and the tokens in `tokens`; other users have an active account. */
export const startTestLedger = async (authority: TestAuthority, now: () => Date) => {
  const accounts = new Map<string, TestAccount>();
  const tokens = [
    { symbol: 'EURe', decimals: 18, currency: 'EUR' },
    { symbol: 'USDC.e', decimals: 6, currency: 'USD' },
  ];
  const server = await startNeighbour({
    authority,
    name: 'ledger',
    now,
    services: [
      implementPart(AccountService, {
        getCurrentAccount: userMethod((_request, { caller: { userId } }) => {
          const account = accounts.get(userId) ?? { id: userId, status: AccountStatus.ACTIVE };
          if ('error' in account) throw new CodedError(account.error);
          return { account: { ...account, userId } };
        }),
      }),
      implementPart(BalanceService, { listTokens: serviceMethod(() => ({ tokens })) }),
    ],
  });
  return { url: server.url, accounts, tokens, close: () => server.close(0) };
};

/** Stands for the signature of a wallet over typed data: a hash of its text and nonce. */
export const signatureOf = (text: string, nonce: string): string => `0x${createHash('sha256').update(`${nonce} ${text}`).digest('hex')}`;

/** Identity's approvals of changes of cards: typed data by user and nonce, with the use of those that were used. */
const cardApprovals = () => {
  const open = new Map<string, Map<string, { use?: string }>>();
  let issued = 0;
  const textOf = (change: CardChange | undefined): string =>
    [change?.kind, change?.cardId, change?.last4, ...(change?.facts ?? [])].join('\n');
  return implementPart(WalletService, {
    createCardChallenge: userMethod(({ change }, { caller: { userId } }) => {
      issued += 1;
      const nonce = String(issued);
      open.set(userId, (open.get(userId) ?? new Map()).set(nonce, {}));
      return { typedData: { authorization: textOf(change), nonce } };
    }),
    useCardApproval: userMethod(({ change, approval, use }, { caller: { userId } }) => {
      if (approval === '') throw new CodedError('APPROVAL_REQUIRED');
      const found = [...(open.get(userId) ?? [])].find(([nonce]) => signatureOf(textOf(change), nonce) === approval);
      if (found === undefined) throw new CodedError('INVALID_APPROVAL');
      const [nonce, known] = found;
      if (known.use !== undefined && known.use !== use) throw new CodedError('NONCE_USED');
      known.use = use;
      return { nonce };
    }),
    completeCardApproval: userMethod(({ nonce }, { caller: { userId } }) => {
      open.get(userId)?.delete(nonce);
      return {};
    }),
  });
};

/**
 * Identity's phone codes: `codes` maps a code to a number or an error. A code is valid once, and again for the same verification. `told` has the
 * kinds of the mails to each user, and the number that gets a text message.
 */
export const startTestIdentity = async (authority: TestAuthority, now: () => Date) => {
  const told = new Map<string, string[]>();
  const codes = new Map<string, { phone: string; usedBy?: string } | { error: ErrorCode }>();
  const server = await startNeighbour({
    authority,
    name: 'identity',
    now,
    services: [
      cardApprovals(),
      implementPart(UserService, {
        notifyCurrentUser: userMethod(({ kind, formerPhone }, { caller: { userId } }) => {
          const name = Object.entries(NoticeKind).find(([, value]) => value === kind)?.[0] ?? '';
          told.set(userId, [...(told.get(userId) ?? []), formerPhone === '' ? name : `${name} ${formerPhone}`]);
          return {};
        }),
      }),
      implementPart(VerificationService, {
        verifyPhoneCode: serviceMethod(({ code, verificationId }) => {
          const known = codes.get(code) ?? { error: 'INVALID_CODE' };
          if ('error' in known) throw new CodedError(known.error);
          if (known.usedBy !== undefined && known.usedBy !== verificationId) throw new CodedError('INVALID_CODE');
          known.usedBy = verificationId;
          return { phone: known.phone };
        }),
      }),
    ],
  });
  return { url: server.url, codes, told, close: () => server.close(0) };
};

/** A vault that gives each card the last four digits of a counter, the same to each repeat. */
export const startTestVault = async (authority: TestAuthority) => {
  const faces = new Map<string, { last4: string; expMonth: number; expYear: number; network: string }>();
  const server = await startNeighbour({
    authority,
    name: 'vault',
    services: [
      implementPart(CardNumberService, {
        issueCardNumber: serviceMethod(({ cardId, expMonth, expYear }) => {
          const last4 = String(faces.size).padStart(4, '0');
          const face = faces.get(cardId) ?? { last4, expMonth, expYear, network: 'visa' };
          faces.set(cardId, face);
          return { face };
        }),
        renewCardNumber: serviceMethod(({ cardId, expMonth, expYear }) => {
          const face = faces.get(cardId);
          if (face === undefined) throw new CodedError('CARD_NOT_FOUND');
          const renewed = { ...face, expMonth, expYear };
          faces.set(cardId, renewed);
          return { face: renewed };
        }),
      }),
    ],
  });
  return { url: server.url, close: () => server.close(0) };
};
