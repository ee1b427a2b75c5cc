import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { IdentityCheck } from './identity-check.tsx';
import { LastPayment } from './last-payment.tsx';
import { MoveClock } from './move-clock.tsx';
import { Post } from './post.tsx';
import { SendMoney } from './send-money.tsx';
import { Shop } from './shop.tsx';

/** A drawer in which one person plays everybody else: the shop, the sender of money, the post, the identity check, time. Only in a sandbox. */
export const OutsideWorld = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const isUser = useSession() === 'user';
  const user = useQuery({ ...userQuery, enabled: isUser });
  return (
    <Sheet title={t('sandbox.title')} onClose={onClose} drawer>
      <p className="soft">{t('sandbox.lead')}</p>
      {isUser ? (
        <>
          <Shop onClose={onClose} />
          <section className="stack">
            <h3>{t('sandbox.deposit')}</h3>
            <SendMoney />
          </section>
          <LastPayment />
          {user.data === undefined ? null : (
            <Post addresses={[user.data.email, ...(user.data.phone === undefined ? [] : [user.data.phone])]} />
          )}
          <IdentityCheck />
          <MoveClock />
        </>
      ) : (
        <p>{t('sandbox.signed_out')}</p>
      )}
    </Sheet>
  );
};
