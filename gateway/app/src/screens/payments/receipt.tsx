import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { receiptQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';

const Loaded = ({ paymentId }: { paymentId: string }) => {
  const { t } = useTranslator();
  const receipt = useQuery(receiptQuery(paymentId));
  if (receipt.isPending) return <SkeletonRows rows={2} />;
  if (receipt.isError) return <Failure error={receipt.error} onRetry={() => void receipt.refetch()} />;
  const { typedData, signer, decidedAt } = receipt.data;
  return (
    <>
      <pre className="signed-text">{typedData?.authorization}</pre>
      <Facts
        facts={[
          [
            t('payment.receipt_signer'),
            <span key="signer" className="mono">
              {signer}
            </span>,
          ],
          [t('payment.receipt_when'), decidedAt === undefined ? undefined : <Time key="when" at={decidedAt} />],
        ]}
      />
      <Button onClick={() => saveFile(`florin-${paymentId}.json`, 'application/json', JSON.stringify(receipt.data, undefined, 2))}>
        {t('payment.receipt_save')}
      </Button>
    </>
  );
};

/** What the wallet signed for a payment, as a proof that can be checked without the platform. */
export const Receipt = ({ paymentId }: { paymentId: string }) => {
  const { t } = useTranslator();
  const [isShown, setShown] = useState(false);
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('payment.receipt')}</h2>
        <p className="soft">{t('payment.receipt_lead')}</p>
      </div>
      {isShown ? <Loaded paymentId={paymentId} /> : <Button onClick={() => setShown(true)}>{t('payment.receipt_show')}</Button>}
    </section>
  );
};
