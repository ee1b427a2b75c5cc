import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { isReason } from '../domain/reason.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { ReasonField } from './reason-field.tsx';
import { useDraft } from './use-draft.ts';

export type ActionDialogProps = {
  title: string;
  /** The consequence, in words. */
  lead: string;
  /** The button that does it. */
  action: string;
  danger?: boolean;
  path: string;
  /** The body besides the reason. */
  body?: object;
  /** True if a passkey confirms the operator first; a text says why in other words than that it moves money. */
  confirms?: boolean | string;
  touches: readonly (readonly string[])[];
  /** The text when it is done; gets the resulting state. */
  done: string | ((status: string) => string);
  onClose: () => void;
  /** More to choose. */
  children?: ReactNode;
};

/** Says what will happen, asks why, does it, and shows a secret that it has made. */
export const ActionDialog = (props: ActionDialogProps) => {
  const { title, lead, action, danger = false, path, body = {}, confirms = false, touches, done, onClose, children } = props;
  const { t } = useTranslator();
  const reason = useDraft(path);
  const close = () => {
    reason.drop();
    onClose();
  };
  const [tried, setTried] = useState(false);
  /** What the action has made, while it is shown. */
  const [secret, setSecret] = useState<string>();
  /** Somebody is about to close the sheet with the only copy of the secret. */
  const [isLeaving, setIsLeaving] = useState(false);
  const doing = useAction({
    path,
    confirms: confirms !== false,
    touches,
    onDone: ({ status, secret: made }) => {
      if (made !== undefined) {
        reason.drop();
        setSecret(made);
        return;
      }
      showToast(typeof done === 'string' ? done : done(status));
      close();
    },
  });
  if (secret !== undefined)
    return (
      <Sheet title={title} onClose={() => setIsLeaving(true)}>
        <p>{typeof done === 'string' ? done : ''}</p>
        <p className="signed-text">{secret}</p>
        {isLeaving ? (
          <p className="notice notice-warn" role="alert">
            {t('office.secret_lost')}
          </p>
        ) : null}
        <div className="actions">
          <CopyButton text={secret} label={t('office.copy')} />
          <Button kind="primary" onClick={onClose}>
            {t('office.secret_kept')}
          </Button>
        </div>
      </Sheet>
    );
  return (
    <Sheet title={title} onClose={onClose}>
      <p>{lead}</p>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isReason(reason.text) && !doing.isPending) doing.mutate({ ...body, reason: reason.text.trim() });
        }}
      >
        {children}
        <ReasonField value={reason.text} onChange={reason.change} tried={tried} />
        {confirms === false ? null : <p className="soft small">{typeof confirms === 'string' ? confirms : t('office.confirms')}</p>}
        <Failure error={doing.error} />
        <div className="actions">
          <Button onClick={close}>{t('app.cancel')}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={doing.isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Sheet>
  );
};
