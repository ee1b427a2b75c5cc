import { decodeTimeCursor, encodeTimeCursor } from '@florin/data/paging';
import { numberAt, type PersonalDataSection, singleRecord } from '@florin/data/privacy';
import type { WalletRecovery } from '../domain/wallet-recovery.ts';
import type { Stores } from '../store/open-stores.ts';
import type { Session, SessionOwner } from '../store/sessions.ts';

const toExportedSession = ({ id, wallet, createdAt, lastUsedAt, expiresAt, userAgent, ip }: Session) => ({
  id,
  wallet,
  createdAt,
  lastUsedAt,
  expiresAt,
  userAgent,
  ip,
});

/** Without the people of the operator. */
const toExportedRecovery = ({ id, lostWallet, replacementWallet, reason, status, createdAt, updatedAt }: WalletRecovery) => ({
  id,
  lostWallet,
  replacementWallet,
  reason,
  status,
  createdAt,
  updatedAt,
});

/** The data that identity stores about a user. Secrets, keyed hashes and internal counters are left out. */
export const personalDataSections = (
  { users, sessions, acceptances, fundsAnswers, walletEpochs, walletRecoveries, erasures }: Stores,
  now: () => Date,
): PersonalDataSection[] => {
  const ownerOf = async (userId: string): Promise<SessionOwner | undefined> => {
    const user = await users.find(userId);
    if (user === undefined) return undefined;
    const { partnerId } = user;
    const current = await walletEpochs.currentOf(user.wallets.map(({ address }) => ({ wallet: address, partnerId })));
    return { wallets: user.wallets.map(({ address }, index) => ({ address, epoch: current[index] ?? 0 })), partnerId };
  };
  return [
    singleRecord('user', async (userId) => {
      const user = await users.find(userId);
      if (user === undefined) return undefined;
      const { isErasing: _isErasing, ...exported } = user;
      return exported;
    }),
    {
      kind: 'session',
      page: async (userId, { limit, after }) => {
        const owner = await ownerOf(userId);
        if (owner === undefined) return { records: [] };
        const found = await sessions.page(owner, { limit, before: after }, now());
        return { records: found.map(toExportedSession), next: found.length < limit ? undefined : found.at(-1)?.id };
      },
    },
    {
      kind: 'terms_acceptance',
      // At most one per document and version.
      page: async (userId) => ({ records: await acceptances.listOf(userId) }),
    },
    {
      kind: 'source_of_funds',
      page: async (userId, { limit, after }) => {
        const found = await fundsAnswers.page(userId, limit, numberAt(after));
        return { records: found, next: found.length < limit ? undefined : String(found.at(-1)?.version) };
      },
    },
    {
      kind: 'wallet_recovery',
      page: async (userId, { limit, after }) => {
        const before = after === undefined ? undefined : decodeTimeCursor(after);
        const found = await walletRecoveries.page({ userId, limit, before });
        const last = found.at(-1);
        return {
          records: found.map(toExportedRecovery),
          next: last === undefined || found.length < limit ? undefined : encodeTimeCursor(last),
        };
      },
    },
    singleRecord('erasure', async (userId) => {
      const erasure = await erasures.find(userId);
      if (erasure === undefined) return undefined;
      const { step, requestedAt, erasedAt, releaseAt } = erasure;
      return { step, requestedAt, erasedAt, releaseAt };
    }),
  ];
};
