import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { type Notice, noticeText } from '../domain/notices.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { NoticeStore } from '../store/notices.ts';
import type { UserStore } from '../store/users.ts';

const INTERVAL_MS = 2000;
const BATCH = 20;

/** Time after which notices of a killed process, or that the mail server rejected, are sent again. */
const RETRY_MS = 30_000;

/** Time for which a notice is retried. */
const GIVE_UP_MS = 3 * 24 * 60 * 60 * 1000;

type Parts = {
  notices: NoticeStore;
  users: Pick<UserStore, 'find'>;
  mailer: Mailer;
  partnerNameOf: (partnerId: string) => string;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
};

/** Mails notices to their users, at least once each: those about wallets were stored by the writes that they report. */
export const startNotices = ({ notices, users, mailer, partnerNameOf, runtime, logger }: Parts): Rounds => {
  const mailOf = async (userId: string, waiting: readonly Notice[]): Promise<void> => {
    const user = await users.find(userId);
    for (const notice of waiting) {
      const isLate = runtime.now().getTime() - notice.at.getTime() > GIVE_UP_MS;
      if (isLate) logger.error({ userId, notice }, 'a notice could not be mailed in time and is dropped');
      else if (user !== undefined) await mailer.send({ to: user.email, code: '', ...noticeText(notice, partnerNameOf(user.partnerId)) });
      await notices.sent(userId, notice.id);
    }
  };

  const round = async (closed: () => boolean): Promise<void> => {
    for (const userId of await notices.due(runtime.now(), BATCH)) {
      if (closed()) return;
      const now = runtime.now();
      // One instance takes them; the others skip the user until the retry.
      const waiting = await notices.take(userId, now, new Date(now.getTime() + RETRY_MS));
      if (waiting === undefined) continue;
      await mailOf(userId, waiting).catch((err: unknown) => logger.warn({ err, userId }, 'mailing notices failed, will be retried'));
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'mailing notices failed, will be retried' });
};
