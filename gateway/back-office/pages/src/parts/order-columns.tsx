import type { Order } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery, useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { ActionDialog } from './action-dialog.tsx';
import { State } from './state.tsx';
import type { Column } from './table.tsx';

type Decision = 'approve' | 'reject';

/** A decision that somebody is about to take on an order. */
export type Asked<Of extends Order> = { what: Decision; order: Of };

const Decisions = ({ order: { status, actor, decidedBy }, onAsk }: { order: Order; onAsk: (what: Decision) => void }) => {
  const { t } = useTranslator();
  const me = `operator:${useQuery(sessionQuery).data?.operator.id}`;
  // The approver may have it carried out again, after an attempt that was interrupted.
  if (status === 'approved' && decidedBy === me) {
    return (
      <Button small onClick={() => onAsk('approve')}>
        {t('orders.repeat')}
      </Button>
    );
  }
  if (status !== 'pending') return null;
  return (
    <span className="row-actions">
      {actor === me ? (
        <span className="soft small">{t('money.own')}</span>
      ) : (
        <Button small kind="primary" onClick={() => onAsk('approve')}>
          {t('orders.approve')}
        </Button>
      )}
      <Button small onClick={() => onAsk('reject')}>
        {t('orders.reject')}
      </Button>
    </span>
  );
};

/** The columns of orders that another operator decides: the time, and those after what the order is about. */
export const useOrderColumns = <Of extends Order>(onAsk: (asked: Asked<Of>) => void): { time: Column<Of>; others: Column<Of>[] } => {
  const { t, errorText } = useTranslator();
  const may = useMay();
  return {
    time: { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
    others: [
      {
        head: t('office.status'),
        cell: ({ status, failureCode }) => (
          <>
            <State of={status} />{' '}
            {failureCode === undefined ? null : <span className="soft small">{errorText(failureCode) ?? failureCode}</span>}
          </>
        ),
      },
      { head: t('money.ordered_by'), cell: ({ actor, actorName }) => actorName ?? <span className="mono">{actor}</span> },
      { head: t('office.reason'), cell: ({ reason }) => reason },
      { head: t('orders.decided_by'), cell: ({ decidedBy, decidedByName }) => decidedByName ?? decidedBy ?? '–' },
      ...(may('chain.resolve')
        ? [{ head: ' ', end: true, cell: (order: Of) => <Decisions order={order} onAsk={(what) => onAsk({ what, order })} /> }]
        : []),
    ],
  };
};

type DecidingProps = {
  asked: Asked<Order>;
  /** Those of this kind of order. */
  words: Readonly<Record<'approveTitle' | 'approveLead' | 'approveDone' | 'approveFailed' | 'rejectLead', string>>;
  /** The path of the orders. */
  path: string;
  touches: readonly (readonly string[])[];
  onClose: () => void;
};

/** Asks an operator about a decision on an order. */
export const DecideOrder = ({ asked: { what, order }, words, path, touches, onClose }: DecidingProps) => {
  const { t } = useTranslator();
  const approves = what === 'approve';
  return (
    <ActionDialog
      title={approves ? words.approveTitle : t('orders.reject_title')}
      lead={approves ? words.approveLead : words.rejectLead}
      action={t(`orders.${what}`)}
      danger={!approves}
      confirms
      path={`${path}/${encodeURIComponent(order.id)}/${what}`}
      touches={touches}
      done={(status) => {
        if (status === 'rejected') return t('orders.reject_done');
        return status === 'failed' ? words.approveFailed : words.approveDone;
      }}
      onClose={onClose}
    />
  );
};
