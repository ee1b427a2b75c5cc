import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const STEPS = [
  [600, 'sandbox.clock_minutes'],
  [86_400, 'sandbox.clock_day'],
] as const;

/** Moves the time of the person's cards and open questions on: holds and questions expire, limits begin anew. */
export const MoveClock = () => {
  const { t } = useTranslator();
  const moving = useMutation({
    mutationFn: (advanceSeconds: number) => client.sandbox.advanceClock({ advanceSeconds }),
    onSuccess: async () => {
      await refresh('payments', 'balances', 'cards', 'challenges');
      showToast(t('sandbox.clock_done'));
    },
  });
  return (
    <section className="stack">
      <h3>{t('sandbox.clock')}</h3>
      <div className="actions">
        {STEPS.map(([seconds, key]) => (
          <Button key={seconds} small busy={moving.isPending && moving.variables === seconds} onClick={() => moving.mutate(seconds)}>
            {t(key)}
          </Button>
        ))}
      </div>
      <Failure error={moving.error} />
    </section>
  );
};
