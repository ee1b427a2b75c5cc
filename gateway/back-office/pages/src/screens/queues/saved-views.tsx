import type { Queue } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { CloseIcon } from '@florin/ui/parts/icons.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useState } from 'react';
import type { QueueView } from '../../domain/queue-view.ts';
import { dropView, readViews, saveView, VIEW_NAME_MAX } from '../../domain/queue-views.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Props = { operatorId: string; queue: Queue; view: QueueView; change: (view: QueueView) => void };

/** The filters of a queue to which this operator has given names in this browser. */
export const SavedViews = ({ operatorId, queue, view, change }: Props) => {
  const { t } = useTranslator();
  const [saved, setSaved] = useState(() => readViews(operatorId));
  const [name, setName] = useState<string>();
  return (
    <div className="row-actions">
      {saved
        .filter((one) => one.queue === queue)
        .map(({ name: given, filter, sort }) => (
          <span key={given} className="row-actions">
            <Button
              small
              aria-pressed={filter === view.filter && sort === view.sort}
              onClick={() => {
                change({ filter, sort });
              }}
            >
              {given}
            </Button>
            <Button
              kind="icon"
              aria-label={t('queues.view_drop', { name: given })}
              onClick={() => setSaved(dropView(operatorId, queue, given))}
            >
              <CloseIcon />
            </Button>
          </span>
        ))}
      <Button small onClick={() => setName('')}>
        {t('queues.view_save')}
      </Button>
      {name === undefined ? null : (
        <Sheet title={t('queues.view_save')} onClose={() => setName(undefined)}>
          <form
            className="form"
            onSubmit={(event) => {
              event.preventDefault();
              setSaved(saveView(operatorId, { ...view, queue, name: name.trim() }));
              setName(undefined);
            }}
          >
            <TextField
              label={t('queues.view_name')}
              hint={t('queues.view_hint')}
              value={name}
              onChange={setName}
              required
              pattern=".*\S.*"
              maxLength={VIEW_NAME_MAX}
            />
            <div className="actions">
              <Button onClick={() => setName(undefined)}>{t('app.cancel')}</Button>
              <Button type="submit" kind="primary">
                {t('queues.view_keep')}
              </Button>
            </div>
          </form>
        </Sheet>
      )}
    </div>
  );
};
