import { Button } from '@florin/ui/parts/button.tsx';
import { useEffect, useState } from 'react';
import { useTranslator } from '../i18n/i18n.ts';

/** The platform sends no other code sooner. */
const WAIT_SECONDS = 30;

/** Sends a code once more, as soon as that is possible. */
export const ResendButton = ({ busy, onResend }: { busy: boolean; onResend: () => void }) => {
  const { t } = useTranslator();
  const [left, setLeft] = useState(WAIT_SECONDS);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <Button
      kind="quiet"
      busy={busy}
      disabled={left > 0}
      onClick={() => {
        setLeft(WAIT_SECONDS);
        onResend();
      }}
    >
      {left === 0 ? t('register.again') : t('register.again_in', { seconds: String(left) })}
    </Button>
  );
};
