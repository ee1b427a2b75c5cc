import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import type { ChainException } from '../api/types.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Short } from './short.tsx';
import { State } from './state.tsx';
import type { Column } from './table.tsx';

/** The view of a transfer that needs a person. */
export const useExceptionColumns = (): Column<ChainException>[] => {
  const { t, word } = useTranslator();
  return [
    { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
    {
      head: t('chain.kind'),
      cell: ({ kind, code }) => (
        <>
          {word('chain.kind_', kind)} {code === '' ? null : <span className="mono soft">{code}</span>}
        </>
      ),
    },
    { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
    { head: t('chain.account'), cell: ({ accountId }) => <span className="mono wrap">{accountId}</span> },
    { head: t('chain.counterparty'), cell: ({ counterparty }) => <Short text={counterparty} /> },
    { head: t('office.amount'), end: true, cell: ({ amount }) => (amount.token === '' ? '–' : <Money {...amount} />) },
  ];
};
