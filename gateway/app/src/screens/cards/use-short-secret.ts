import { useEffect, useState } from 'react';

/** How long a secret stays on the screen. */
const SHOWN_SECONDS = 60;

/** A secret that leaves the memory of the page after a minute, and as soon as the window is hidden. */
export const useShortSecret = <T>() => {
  const [secret, setSecret] = useState<{ value: T; left: number }>();
  useEffect(() => {
    if (secret === undefined) return;
    const timer = setTimeout(() => setSecret(secret.left === 1 ? undefined : { ...secret, left: secret.left - 1 }), 1000);
    const onHidden = () => {
      if (document.hidden) setSecret(undefined);
    };
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onHidden);
    };
  }, [secret]);
  return {
    value: secret?.value,
    left: secret?.left ?? 0,
    show: (value: T) => setSecret({ value, left: SHOWN_SECONDS }),
    hide: () => setSecret(undefined),
  };
};
