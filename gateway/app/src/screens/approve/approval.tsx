import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { challengeQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Decision } from './decision.tsx';
import { Outcome } from './outcome.tsx';

/** Closes what the address says is open above the screen: by going back, if going there was a step of its own. */
const useClose = () => {
  const router = useRouter();
  return () => {
    if (router.state.location.state.isAbove === true) router.history.back();
    else void router.navigate({ to: '.', search: ({ approve: _closed, ...shown }) => shown, replace: true });
  };
};

/** A payment that asks for a decision: what is signed, how long there is, and how it ended. */
export const Approval = ({ challengeId }: { challengeId: string }) => {
  const { t, word } = useTranslator();
  const challenge = useQuery(challengeQuery(challengeId));
  const close = useClose();
  const isPending = challenge.data === undefined || challenge.data.challenge.status === 'pending';
  return (
    <Sheet title={isPending ? t('approve.title') : word('approve.result_', challenge.data.challenge.status)} onClose={close}>
      {challenge.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={challenge.data === undefined ? challenge.error : null} onRetry={() => void challenge.refetch()} />
      {challenge.data === undefined ? null : isPending ? (
        <Decision detail={challenge.data} onAgain={() => void challenge.refetch()} />
      ) : (
        <Outcome challenge={challenge.data.challenge} onClose={close} />
      )}
    </Sheet>
  );
};
