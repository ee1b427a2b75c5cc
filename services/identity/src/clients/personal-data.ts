import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { type RpcChannel, undefinedOn, withinRequest } from '@florin/rpc/client';

type Request = { requestId: string };

/**
 * The user's data in the other services, as far as an erasure is concerned. Every call can be repeated.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT, and those named; any other error becomes INTERNAL_ERROR
 */
export type PersonalDataClient = {
  /** @throws CodedError USER_HAS_OPEN_CHALLENGES, USER_HAS_OPEN_DISPUTES, USER_HAS_RECENT_PAYMENTS */
  check: (userId: string, request: Request) => Promise<void>;
  /** Closes the account. @throws CodedError USER_HAS_BALANCE, USER_HAS_OPEN_HOLDS, USER_IS_BLOCKED */
  closeAccount: (userId: string, includeBlocked: boolean, request: Request) => Promise<void>;
  /** Ends cards and challenges, erases the personal data with them, and destroys the numbers of the cards once these have ended. */
  eraseElsewhere: (userId: string, request: Request) => Promise<void>;
};

const _REFUSALS = ['USER_HAS_BALANCE', 'USER_HAS_OPEN_HOLDS', 'USER_IS_BLOCKED', 'ACCOUNT_NOT_FOUND'] as const;

export const createPersonalDataClient = (
  channels: Readonly<Record<'card' | 'ledger' | 'threeds' | 'vault', RpcChannel> & { notifications: RpcChannel | undefined }>,
): PersonalDataClient => {
  const card = channels.card.client(PersonalDataService);
  const ledger = channels.ledger.client(PersonalDataService);
  const threeds = channels.threeds.client(PersonalDataService);
  const vault = channels.vault.client(PersonalDataService);
  const notifications = channels.notifications?.client(PersonalDataService);
  return {
    check: async (userId, request) => {
      await threeds.checkErasure({ userId }, withinRequest(request));
      await card.checkErasure({ userId }, withinRequest(request));
    },
    closeAccount: async (userId, includeBlocked, request) => {
      const closing = ledger.erasePersonalData({ userId, includeBlocked }, withinRequest(request));
      await undefinedOn('ACCOUNT_NOT_FOUND', closing);
    },
    eraseElsewhere: async (userId, request) => {
      await card.erasePersonalData({ userId }, withinRequest(request));
      await threeds.erasePersonalData({ userId }, withinRequest(request));
      await vault.erasePersonalData({ userId }, withinRequest(request));
      await notifications?.erasePersonalData({ userId }, withinRequest(request));
    },
  };
};
