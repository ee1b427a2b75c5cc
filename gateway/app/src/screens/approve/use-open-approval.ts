import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Opens the approval of a payment above the screen, as a step of its own in the history. Once, although several may tell of the payment. */
export const useOpenApproval = () => {
  const router = useRouter();
  return useCallback(
    (challengeId: string) => {
      const { approve } = router.latestLocation.search;
      if (approve === challengeId) return;
      // A second payment takes the place of the first, so that going back leaves both.
      void router.navigate({
        to: '.',
        search: (shown) => ({ ...shown, approve: challengeId }),
        state: { isAbove: true },
        replace: approve !== undefined,
      });
    },
    [router],
  );
};
