import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { chainQuery, pagesOf } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { ChainException, ChainExceptions, ChainWatch } from '../../api/types.ts';
import { useFresh } from '../../api/use-fresh.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { useExceptionColumns } from '../../parts/exception-columns.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Screen } from '../../parts/screen.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { HaltOrders, OrderHalt } from './halts.tsx';

const Watches = () => {
  const { t, word } = useTranslator();
  const may = useMay();
  const chain = useQuery(chainQuery);
  const [halted, setHalted] = useState<ChainWatch>();
  const resume = (watch: ChainWatch) =>
    watch.state === 'halted' ? (
      <Button small onClick={() => setHalted(watch)}>
        {t('halts.order')}
      </Button>
    ) : null;
  return (
    <section className="panel">
      <h2>{t('chain.watches')}</h2>
      {chain.isPending ? <SkeletonRows rows={1} /> : null}
      <Failure error={chain.error} onRetry={() => void chain.refetch()} />
      {chain.data?.watches.length === 0 ? <p className="soft">{t('chain.no_watches')}</p> : null}
      {chain.data === undefined || chain.data.watches.length === 0 ? null : (
        <Table
          caption={t('chain.watches')}
          rows={chain.data.watches}
          keyOf={({ chainId }) => String(chainId)}
          columns={[
            { head: t('chain.chain'), cell: ({ chainId }) => <span className="numbers">{chainId}</span> },
            {
              head: t('office.status'),
              cell: ({ state, problem }) => (
                <>
                  <State of={state} />{' '}
                  {problem === '' ? null : (
                    <span className="soft small" title={problem}>
                      {word('chain.problem_', state, '')}
                    </span>
                  )}
                </>
              ),
            },
            { head: t('chain.nodes'), end: true, cell: ({ nodes }) => <span className="numbers">{nodes}</span> },
            { head: t('chain.block'), end: true, cell: ({ blockNumber }) => <span className="numbers">{blockNumber}</span> },
            {
              head: t('chain.final'),
              end: true,
              cell: ({ finalizedBlockNumber }) => <span className="numbers">{finalizedBlockNumber}</span>,
            },
            {
              head: t('chain.read_at'),
              end: true,
              cell: ({ succeededAt }) => (succeededAt === undefined ? '–' : <Time at={succeededAt} look="short" />),
            },
            ...(may('chain.resolve') ? [{ head: ' ', end: true, cell: resume }] : []),
          ]}
        />
      )}
      {halted === undefined ? null : <OrderHalt watch={halted} onClose={() => setHalted(undefined)} />}
    </section>
  );
};

type Asked = { what: 'retry' | 'return' | 'close'; exception: ChainException };

const Resolving = ({ asked: { what, exception }, onClose }: { asked: Asked; onClose: () => void }) => {
  const { t } = useTranslator();
  const [booked, setBooked] = useState(false);
  return (
    <ActionDialog
      title={t(`chain.${what}_title`)}
      lead={t(`chain.${what}_lead`)}
      action={t(`chain.${what}_title`)}
      confirms
      path={`/api/chain/exceptions/${encodeURIComponent(exception.id)}/${what}`}
      body={what === 'close' ? { booked } : {}}
      touches={[['chain'], ['overview']]}
      done={(status) => (what === 'retry' && status !== 'closed' ? t('chain.retry_refused') : t(`chain.${what}_done`))}
      onClose={onClose}
    >
      {what === 'close' ? (
        <label className="choice">
          <input type="checkbox" checked={booked} onChange={(event) => setBooked(event.target.checked)} />
          {t('chain.booked')}
        </label>
      ) : null}
    </ActionDialog>
  );
};

const Exceptions = () => {
  const { t } = useTranslator();
  const columns = useExceptionColumns();
  const may = useMay();
  const exceptions = useInfiniteQuery(pagesOf<ChainExceptions>(['chain', 'exceptions'], '/api/chain/exceptions?status=open'));
  useFresh('transfers', ['chain', 'exceptions']);
  const { item } = useSearch({ from: '/chain' });
  const [asked, setAsked] = useState<Asked>();
  /** Only what the ledger refused can be booked again. */
  const actions = (exception: ChainException) => (
    <span className="row-actions">
      {exception.kind === 'refused' ? (
        <Button small onClick={() => setAsked({ what: 'retry', exception })}>
          {t('chain.retry')}
        </Button>
      ) : null}
      {exception.kind === 'rejected' && exception.returnedBy === '' ? (
        <Button small onClick={() => setAsked({ what: 'return', exception })}>
          {t('chain.return')}
        </Button>
      ) : null}
      <Button small onClick={() => setAsked({ what: 'close', exception })}>
        {t('chain.close')}
      </Button>
    </span>
  );
  return (
    <section className="panel">
      <h2>{t('chain.exceptions')}</h2>
      <PagedTable
        caption={t('chain.exceptions')}
        query={exceptions}
        rowsOf={(answer) => answer.exceptions}
        keyOf={({ id }) => id}
        none={t('chain.none')}
        marked={item}
        columns={[...columns, ...(may('chain.resolve') ? [{ head: ' ', end: true, cell: actions }] : [])]}
      />
      {asked === undefined ? null : <Resolving asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
};

/** How chains are watched, and the transfers that the platform could not settle by itself. */
export const ChainScreen = () => {
  const { t } = useTranslator();
  return (
    <Screen title={t('chain.title')} needs="chain.read">
      <Watches />
      <HaltOrders />
      <Exceptions />
    </Screen>
  );
};
