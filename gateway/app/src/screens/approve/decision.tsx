import type { ThreeDSChallengeDetailResponse } from '@florin/client';
import { clockOffset, formatCountdown } from '@florin/ui/format/time-left.ts';
import { useCountdown } from '@florin/ui/page/use-countdown.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { askedQuery, type Choice } from '../../api/asked-query.ts';
import { queries, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ChallengeAmount } from './amount.tsx';

type Detail = ThreeDSChallengeDetailResponse & { /** When it was read, by the clock of this device. */ readAt: number };

/** The time below which the bar warns. */
const SOON_SECONDS = 30;

const Countdown = ({ detail, onEnd }: { detail: Detail; onEnd: () => void }) => {
  const { t } = useTranslator();
  const id = useId();
  const offset = clockOffset(detail.serverTime, detail.readAt);
  const left = useCountdown(detail.challenge.expiresAt, offset);
  const [whole] = useState(left);
  useEffect(() => {
    if (left === 0) onEnd();
  }, [left, onEnd]);
  return (
    <div className="countdown">
      <p className="small">
        <span id={id}>{t('approve.left')}</span>
        <span className="numbers strong" role="timer" aria-labelledby={id}>
          {formatCountdown(left)}
        </span>
      </p>
      <progress className={left <= SOON_SECONDS ? 'meter meter-low' : 'meter'} max={Math.max(whole, 1)} value={left} aria-labelledby={id} />
    </div>
  );
};

/** The exact text, and the two answers. Declining shows its own text before it is signed. */
export const Decision = ({ detail, onAgain }: { detail: Detail; onAgain: () => void }) => {
  const { t } = useTranslator();
  const { challenge } = detail;
  const [choice, setChoice] = useState<Choice>('approve');
  const asked = useQuery(askedQuery(challenge, choice));
  const deciding = useMutation({
    mutationFn: async () => {
      const { currentSigner } = await import('../../wallet/signer.ts');
      return asked.data?.submit(await currentSigner());
    },
    onSuccess: (decided) => {
      if (decided !== undefined) queries.setQueryData(['challenges', 'one', challenge.id], { ...detail, challenge: decided });
      void refresh('challenges');
    },
    // The challenge itself shows changes that happened meanwhile, for example in another window.
    onError: onAgain,
  });
  const sign = (decision: Choice) => {
    if (choice === decision) return deciding.mutate();
    deciding.reset();
    setChoice(decision);
  };
  const isReady = asked.isSuccess;
  return (
    <>
      <ChallengeAmount challenge={challenge} />
      <Countdown detail={detail} onEnd={onAgain} />
      <div className="stack-tight">
        <p className="label">{t('approve.text')}</p>
        {asked.isPending ? <span className="skeleton signed-text-waits" /> : null}
        {asked.isSuccess ? <pre className="signed-text">{asked.data.text}</pre> : null}
      </div>
      <Failure error={asked.error} onRetry={() => void asked.refetch()} />
      <Failure error={deciding.error} />
      <p className="soft small">
        {deciding.isPending ? t('approve.signing') : t(choice === 'decline' ? 'approve.no_money' : 'approve.money')}
      </p>
      <div className="sheet-buttons">
        <Button
          kind={choice === 'decline' ? 'danger' : 'plain'}
          busy={deciding.isPending && choice === 'decline'}
          disabled={deciding.isPending || (choice === 'decline' && !isReady)}
          onClick={() => sign('decline')}
        >
          {choice === 'decline' ? t('approve.sign_decline') : t('approve.decline')}
        </Button>
        <Button
          kind={choice === 'approve' ? 'primary' : 'plain'}
          busy={deciding.isPending && choice === 'approve'}
          disabled={deciding.isPending || (choice === 'approve' && !isReady)}
          onClick={() => sign('approve')}
        >
          {t(choice === 'decline' ? 'approve.back' : 'approve.approve')}
        </Button>
      </div>
    </>
  );
};
