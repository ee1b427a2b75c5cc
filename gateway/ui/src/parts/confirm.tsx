import { useTranslator } from '../i18n/translator.tsx';
import { Button } from './button.tsx';
import { Failure } from './failure.tsx';
import { Sheet } from './sheet.tsx';

type ConfirmProps = {
  title: string;
  lead: string;
  action: string;
  busy: boolean;
  failure: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that cannot be taken back. */
export const Confirm = ({ title, lead, action, busy, failure, onConfirm, onClose }: ConfirmProps) => {
  const { t } = useTranslator();
  return (
    <Sheet title={title} onClose={onClose}>
      <p>{lead}</p>
      <Failure error={failure} />
      <div className="actions">
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button kind="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Sheet>
  );
};
