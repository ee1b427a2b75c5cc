import type { MoneyTokens } from '@florin/back-office/contract';
import { formatMoney, parseMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { tokensQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';

const Form = ({ tokens, systemAccounts, onClose }: MoneyTokens & { onClose: () => void }) => {
  const { t, locale } = useTranslator();
  const names = useId();
  const [debit, setDebit] = useState('');
  const [credit, setCredit] = useState('');
  const [name, setName] = useState(tokens[0]?.token ?? '');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const token = tokens.find((one) => one.token === name);
  const ruleOf = ({ approvalAbove, approvalWindowHours: hours, ...of }: MoneyTokens['tokens'][number]): string =>
    approvalAbove === '0'
      ? t('money.rule_always')
      : t('money.rule_above', { limit: formatMoney({ ...of, amount: approvalAbove }, locale), hours: String(hours) });
  const amount = token === undefined ? undefined : parseMoney(typed, token.decimals, locale);
  const ordering = useAction({
    path: '/api/adjustments',
    confirms: true,
    touches: [['adjustments'], ['overview']],
    onDone: ({ status }) => {
      showToast(t(status === 'booked' ? 'money.booked' : 'money.ordered'));
      onClose();
    },
  });
  const isAboveLimit = token !== undefined && amount !== undefined && BigInt(amount) > BigInt(token.approvalAbove);
  const account = { list: names, autoComplete: 'off', spellCheck: false, required: true, maxLength: 64 };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (amount === undefined || !isReason(reason) || ordering.isPending) return;
        ordering.mutate({ transfers: [{ debit: debit.trim(), credit: credit.trim(), token: name, amount }], reason: reason.trim() });
      }}
    >
      <datalist id={names}>
        {systemAccounts.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <TextField {...account} label={t('money.debit')} hint={t('money.account_hint')} value={debit} onChange={setDebit} />
      <TextField {...account} label={t('money.credit')} value={credit} onChange={setCredit} />
      <SelectField
        label={t('money.token')}
        value={name}
        onChange={setName}
        options={tokens.map((one) => ({ value: one.token, text: one.token }))}
      />
      <TextField
        label={t('office.amount')}
        unit={token?.currency ?? ''}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        problem={tried && amount === undefined ? t('money.amount_problem') : undefined}
      />
      <ReasonField value={reason} onChange={setReason} tried={tried} />
      {token === undefined ? null : <p>{ruleOf(token)}</p>}
      <p className="soft small">{t('office.confirms')}</p>
      <Failure error={ordering.error} />
      <div className="actions">
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button type="submit" kind="primary" busy={ordering.isPending}>
          {token === undefined || amount === undefined
            ? t('money.order')
            : t(isAboveLimit ? 'money.order_amount' : 'money.move_amount', { amount: formatMoney({ ...token, amount }, locale) })}
        </Button>
      </div>
    </form>
  );
};

/** Orders money to be moved. Beyond a limit another operator has to approve it. */
export const OrderMoney = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const tokens = useQuery(tokensQuery);
  return (
    <Sheet title={t('money.order')} onClose={onClose}>
      {tokens.isPending ? <SkeletonRows /> : null}
      <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
      {tokens.data ? <Form {...tokens.data} onClose={onClose} /> : null}
    </Sheet>
  );
};
