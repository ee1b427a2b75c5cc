import { useQuery } from '@tanstack/react-query';
import { useIsBackupPutOff } from '../../api/backup-put-off.ts';
import { accountQuery, cardsQuery, onboardingQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { type NextStep, nextStep } from '../../domain/next-step.ts';
import { lacksBackup } from '../security/lacks-backup.ts';

/** Waiting ends by an event; where there are none, by looking again. */
const LOOK_AGAIN_MS = 5000;

/** The one thing to do next, and what kept the app from knowing it. */
export const useNextStep = (): { step: NextStep | undefined; error: unknown; retry: () => void } => {
  const session = useSession();
  const enabled = session === 'user';
  const isWaiting = (status: string | undefined) => status !== undefined && status !== 'completed';
  const onboarding = useQuery({
    ...onboardingQuery,
    enabled,
    refetchInterval: ({ state }) => (isWaiting(state.data?.status) ? LOOK_AGAIN_MS : false),
  });
  const account = useQuery({
    ...accountQuery,
    enabled,
    refetchInterval: ({ state }) => (state.data?.status === 'provisioning' ? LOOK_AGAIN_MS : false),
  });
  const cards = useQuery({ ...cardsQuery, enabled });
  const isPutOff = useIsBackupPutOff(account.data?.id);
  const step = nextStep({
    session: session === 'starting' || session === 'unreachable' ? 'none' : session,
    onboarding: onboarding.data?.status,
    account: account.data?.status,
    deployment: account.data?.deployment,
    cards: cards.data?.length,
    lacksBackup: account.data !== undefined && lacksBackup(account.data) && !isPutOff,
  });
  const retry = () => {
    for (const query of [onboarding, account, cards]) if (query.isError) void query.refetch();
  };
  return { step, error: step === undefined ? (onboarding.error ?? account.error ?? cards.error) : undefined, retry };
};
