import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const RESULTS = [
  ['approved', 'sandbox.kyc_approve'],
  ['in_review', 'sandbox.kyc_review'],
  ['resubmission_requested', 'sandbox.kyc_again'],
  ['rejected', 'sandbox.kyc_reject'],
] as const;

/** Plays the provider of the identity check. */
export const IdentityCheck = () => {
  const { t } = useTranslator();
  const moving = useMutation({
    mutationFn: (status: (typeof RESULTS)[number][0]) => client.sandbox.moveKyc({ status }),
    onSuccess: async () => {
      await refresh('onboarding', 'account', 'user');
      showToast(t('sandbox.kyc_done'));
    },
  });
  return (
    <section className="stack">
      <h3>{t('sandbox.kyc')}</h3>
      <div className="actions">
        {RESULTS.map(([status, key]) => (
          <Button key={status} small busy={moving.isPending && moving.variables === status} onClick={() => moving.mutate(status)}>
            {t(key)}
          </Button>
        ))}
      </div>
      <Failure error={moving.error} />
    </section>
  );
};
