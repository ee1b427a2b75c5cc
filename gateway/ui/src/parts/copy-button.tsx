import { useTranslator } from '../i18n/translator.tsx';
import { Button } from './button.tsx';
import { showToast } from './toast.tsx';

/** Copies a text; the label says which one. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslator();
  return (
    <Button
      small
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => showToast(t('app.copied')),
          () => showToast(t('app.copy_failed')),
        );
      }}
    >
      {label}
    </Button>
  );
};
