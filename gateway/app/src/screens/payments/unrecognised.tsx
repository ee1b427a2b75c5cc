import type { CardTransactionDetail } from '@florin/client';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { cardQuery, refresh } from '../../api/queries.ts';
import { canDispute, moneyOf } from '../../domain/payment-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** Steps for a payment that the person does not know: freeze the card, and ask for the money back once it was taken. */
export const Unrecognised = ({
  payment,
  onDispute,
  onClose,
}: {
  payment: CardTransactionDetail;
  onDispute: () => void;
  onClose: () => void;
}) => {
  const { t } = useTranslator();
  const card = useQuery(cardQuery(payment.cardId));
  const freezing = useMutation({
    mutationFn: () => client.cards.freezeCard({ cardId: payment.cardId }),
    onSuccess: () => refresh('cards'),
  });
  const isActive = card.data?.status === 'active';
  return (
    <Sheet title={t('unknown.title')} onClose={onClose}>
      {card.isPending ? <SkeletonRows rows={1} /> : null}
      <Failure error={card.error ?? freezing.error} />
      {isActive ? <p>{t('unknown.freeze_lead')}</p> : null}
      {card.data?.status === 'frozen' ? (
        <p className="notice notice-good" role="status">
          {t('unknown.frozen')}
        </p>
      ) : null}
      <p>{t(`unknown.${moneyOf(payment)}`)}</p>
      <div className="actions">
        {isActive ? (
          <Button kind="primary" busy={freezing.isPending} onClick={() => freezing.mutate()}>
            {t('approve.freeze')}
          </Button>
        ) : null}
        {canDispute(payment) ? (
          <Button kind={isActive ? 'plain' : 'primary'} onClick={onDispute}>
            {t('unknown.dispute')}
          </Button>
        ) : null}
      </div>
    </Sheet>
  );
};
