import type { ThreeDSChallenge } from '@florin/client';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ChallengeAmount } from './amount.tsx';

const TONES: Readonly<Record<string, string>> = {
  approved: 'notice notice-good',
  expired: 'notice notice-warn',
  failed: 'notice notice-bad',
};

/** How a payment that asked for a decision ended. */
export const Outcome = ({ challenge, onClose }: { challenge: ThreeDSChallenge; onClose: () => void }) => {
  const { t, word } = useTranslator();
  const freezing = useMutation({
    mutationFn: () => client.cards.freezeCard({ cardId: challenge.cardId }),
    onSuccess: async () => {
      await refresh('cards');
      showToast(t('card.frozen_now'));
      onClose();
    },
  });
  return (
    <>
      <ChallengeAmount challenge={challenge} />
      <div className={TONES[challenge.status] ?? 'notice'} role="status">
        <p>{word('approve.result_', `${challenge.status}_lead`)}</p>
      </div>
      <Failure error={freezing.error} />
      <div className="actions">
        {challenge.status === 'declined' ? (
          <Button busy={freezing.isPending} onClick={() => freezing.mutate()}>
            {t('approve.freeze')}
          </Button>
        ) : null}
        <Button kind="primary" onClick={onClose}>
          {t('app.close')}
        </Button>
      </div>
    </>
  );
};
