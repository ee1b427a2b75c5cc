import type { CardTransaction } from '@florin/client';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { paymentsQuery, refresh } from '../../api/queries.ts';
import { refundsOf } from '../../domain/payment-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PaymentRow } from '../payments/payment-row.tsx';

type Step = 'clear' | 'refund' | 'reverse';

const play = (step: Step, { id, amount, heldAmount, clearedAmount }: CardTransaction): Promise<unknown> => {
  if (step === 'clear') return client.sandbox.clearPayment({ transactionId: id, amount: heldAmount === '0' ? amount : heldAmount });
  if (step === 'refund') return client.sandbox.refundPayment({ transactionId: id, amount: clearedAmount });
  return client.sandbox.reversePayment({ transactionId: id });
};

const DONE = { clear: 'sandbox.cleared', refund: 'sandbox.refunded', reverse: 'sandbox.reversed' } as const;

/** The next steps of a shop with a payment. */
const stepsOf = (payment: CardTransaction): readonly Step[] => {
  if (payment.isCredit) return [];
  if (payment.status === 'pending') return ['clear', 'reverse'];
  return payment.status === 'settled' && refundsOf(payment) === 'none' ? ['refund'] : [];
};

/** Plays what the shop does later with the last payment. */
export const LastPayment = () => {
  const { t, word } = useTranslator();
  const payments = useInfiniteQuery(paymentsQuery());
  const payment = payments.data?.pages[0]?.data[0];
  const playing = useMutation({
    mutationFn: ({ step, of }: { step: Step; of: CardTransaction }) => play(step, of),
    onSuccess: async (_done, { step }) => {
      await refresh('payments', 'balances', 'movements');
      showToast(t(DONE[step]));
    },
  });
  return (
    <section className="stack">
      <h3>{t('sandbox.last')}</h3>
      {payment === undefined ? <p className="soft">{t('sandbox.last_none')}</p> : <PaymentRow payment={payment} />}
      {payment === undefined ? null : (
        <div className="actions">
          {stepsOf(payment).map((step) => (
            <Button
              key={step}
              busy={playing.isPending && playing.variables.step === step}
              onClick={() => playing.mutate({ step, of: payment })}
            >
              {word('sandbox.', step)}
            </Button>
          ))}
        </div>
      )}
      <Failure error={playing.error} />
    </section>
  );
};
