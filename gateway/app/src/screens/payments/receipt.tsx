import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { receiptQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const Loaded = ({ paymentId }: { paymentId: string }) => {
  const { t } = useTranslator();
  const receipt = useQuery(receiptQuery(paymentId));
  if (receipt.isPending) return <SkeletonRows rows={2} />;
  if (receipt.isError) return <Failure error={receipt.error} onRetry={() => void receipt.refetch()} />;
  const { typedData, signer, decidedAt } = receipt.data;
  return (
    <>
      <pre className="signed-text">{typedData.message.authorization}</pre>
      <Facts
        facts={[
          [
            t('payment.receipt_signer'),
            <span key="signer" className="mono">
              {signer}
            </span>,
          ],
          [t('payment.receipt_when'), <Time key="when" at={decidedAt} />],
        ]}
      />
      <Button onClick={() => saveFile(`florin-${paymentId}.json`, 'application/json', JSON.stringify(receipt.data, undefined, 2))}>
        {t('payment.receipt_save')}
      </Button>
    </>
  );
};

/** The wallet's signed approval of a payment, as a proof that can be checked without the platform. */
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
