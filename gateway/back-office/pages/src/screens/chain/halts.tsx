import type { HaltOrder } from '@florin/back-office/contract';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { haltsQuery } from '../../api/queries.ts';
import type { ChainWatch } from '../../api/types.ts';
import { useFresh } from '../../api/use-fresh.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { type Asked, DecideOrder, useOrderColumns } from '../../parts/order-columns.tsx';
import { Short } from '../../parts/short.tsx';
import { Table } from '../../parts/table.tsx';

/** Orders that a halted chain goes on, which another operator approves. */
export const OrderHalt = ({ watch: { chainId, blockNumber }, onClose }: { watch: ChainWatch; onClose: () => void }) => {
  const { t } = useTranslator();
  const [fromBlock, setFromBlock] = useState(blockNumber);
  return (
    <ActionDialog
      title={t('halts.order_title', { chain: String(chainId) })}
      lead={t('halts.order_lead')}
      action={t('halts.order')}
      confirms
      path="/api/chain/halts"
      body={{ chainId, fromBlock: fromBlock.trim() }}
      touches={[['chain']]}
      done={t('orders.ordered')}
      onClose={onClose}
    >
      <TextField
        label={t('halts.from')}
        hint={t('halts.from_hint')}
        value={fromBlock}
        onChange={setFromBlock}
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </ActionDialog>
  );
};

/** The effect of an order, in words. */
const useEffectWords = () => {
  const { t, locale } = useTranslator();
  const number = new Intl.NumberFormat(locale);
  return ({ preview: { resumeBlock, kept, vanished } }: HaltOrder): string =>
    t('halts.effect_words', { block: resumeBlock, kept: number.format(kept), vanished: number.format(vanished) });
};

const Effect = ({ of }: { of: HaltOrder }) => {
  const toWords = useEffectWords();
  return (
    <>
      {toWords(of)}
      <ul className="transfers">
        {of.preview.transfers.map(({ txHash, accountId, direction, amount }) => (
          <li key={`${txHash} ${accountId} ${direction} ${amount.amount}`}>
            <Short text={txHash} /> <Money {...amount} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Deciding = ({ asked, onClose }: { asked: Asked<HaltOrder>; onClose: () => void }) => {
  const { order } = asked;
  const { t } = useTranslator();
  const toWords = useEffectWords();
  const chain = String(order.chainId);
  const words = {
    approveTitle: t('halts.approve_title', { chain }),
    approveLead: t('halts.approve_lead', { what: toWords(order), reason: order.reason }),
    approveDone: t('halts.approve_done'),
    approveFailed: t('halts.approve_failed'),
    rejectLead: t('halts.reject_lead', { chain }),
  };
  return <DecideOrder asked={asked} words={words} path="/api/chain/halts" touches={[['chain'], ['overview']]} onClose={onClose} />;
};

/** Orders that let halted chains go on: one operator orders, another approves. */
export const HaltOrders = () => {
  const { t } = useTranslator();
  const halts = useQuery(haltsQuery);
  useFresh('orders', ['chain', 'halts']);
  const { halt } = useSearch({ from: '/chain' });
  const [asked, setAsked] = useState<Asked<HaltOrder>>();
  const { time, others } = useOrderColumns<HaltOrder>(setAsked);
  const orders = halts.data?.orders;
  return (
    <section className="panel">
      <h2>{t('halts.title')}</h2>
      <p className="soft">{t('halts.lead')}</p>
      {halts.isPending ? <SkeletonRows rows={1} /> : null}
      <Failure error={halts.error} onRetry={() => void halts.refetch()} />
      {orders?.length === 0 ? <p className="soft">{t('halts.none')}</p> : null}
      {orders === undefined || orders.length === 0 ? null : (
        <Table
          caption={t('halts.title')}
          rows={orders}
          keyOf={({ id }) => id}
          marked={halt}
          columns={[
            time,
            { head: t('chain.chain'), cell: ({ chainId }) => <span className="numbers">{chainId}</span> },
            { head: t('halts.effect'), cell: (order) => <Effect of={order} /> },
            ...others,
          ]}
        />
      )}
      {asked === undefined ? null : <Deciding asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
};
