import type { Queue, QueueItem, QueueItems } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { placeOfItem } from '../../domain/queue-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { NoteForm, Notes } from '../../parts/notes.tsx';

type Props = { queue: Queue; item: QueueItem; operators: QueueItems['operators'] };

/** Who takes care of an item. */
const Assigning = ({ queue, item: { id, assignee }, operators }: Props) => {
  const { t } = useTranslator();
  const me = useQuery(sessionQuery).data?.operator.id;
  const [to, setTo] = useState(assignee?.id ?? '');
  const assigning = useAction({
    path: `/api/queues/${queue}/items/${id}/assign`,
    touches: [['queues']],
    onDone: ({ status }) => showToast(t(status === 'assigned' ? 'queues.assigned' : 'queues.unassigned')),
  });
  const assign = (wanted: string) => {
    setTo(wanted);
    assigning.mutate({ from: assignee?.id ?? null, to: wanted === '' ? null : wanted });
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        assign(to);
      }}
    >
      <SelectField
        label={t('queues.assignee')}
        value={to}
        onChange={setTo}
        placeholder={t('queues.nobody')}
        options={operators.map((one) => ({ value: one.id, text: one.name }))}
      />
      <Failure error={assigning.error} />
      <div className="actions">
        <Button type="submit" busy={assigning.isPending}>
          {t('queues.assign')}
        </Button>
        {me === undefined || assignee?.id === me ? null : (
          <Button kind="primary" busy={assigning.isPending} onClick={() => assign(me)}>
            {t('queues.take')}
          </Button>
        )}
      </div>
    </form>
  );
};

/** The work on an item: who takes care of it, and what was noted. */
export const Working = ({ onClose, ...props }: Props & { onClose: () => void }) => {
  const { t } = useTranslator();
  const { queue, item } = props;
  return (
    <Sheet title={t('queues.work')} onClose={onClose}>
      <p>
        <Link {...placeOfItem(queue, item)} preload={false}>
          {t('queues.decide')}
        </Link>
      </p>
      <Assigning key={item.assignee?.id ?? ''} {...props} />
      <Notes of={item.notes} />
      <NoteForm path={`/api/queues/${queue}/items/${item.id}/notes`} touches={[['queues']]} />
    </Sheet>
  );
};
