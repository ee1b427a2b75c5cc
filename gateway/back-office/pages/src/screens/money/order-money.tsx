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
import { allowanceQuery, tokensQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { readLedgerAccount } from '../../domain/ledger-account.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { OrderAccount } from './order-account.tsx';

/** One side of an order that is known already. */
export type OrderSide = { side: 'debit' | 'credit'; accountId: string };

const Form = ({ tokens, systemAccounts, given, onClose }: MoneyTokens & { given: OrderSide | undefined; onClose: () => void }) => {
  const { t, word, locale } = useTranslator();
  const names = useId();
  const draft = given === undefined ? '/api/adjustments' : `/api/adjustments ${given.side} ${given.accountId}`;
  const debit = useDraft(`${draft} debit`, given?.side === 'debit' ? given.accountId : '');
  const credit = useDraft(`${draft} credit`, given?.side === 'credit' ? given.accountId : '');
  const [name, setName] = useState(tokens[0]?.token ?? '');
  const typed = useDraft(`${draft} amount`);
  const reason = useDraft(`${draft} reason`);
  const close = () => {
    for (const one of [debit, credit, typed, reason]) one.drop();
    onClose();
  };
  const [tried, setTried] = useState(false);
  const token = tokens.find((one) => one.token === name);
  const amount = token === undefined ? undefined : parseMoney(typed.text, token.decimals, locale);
  const ordering = useAction({
    path: '/api/adjustments',
    confirms: true,
    touches: [['adjustments'], ['overview'], ['money'], ['people']],
    onDone: ({ status }) => {
      showToast(t(status === 'booked' ? 'money.booked' : 'money.ordered'));
      close();
    },
  });
  const sides = [debit.text.trim(), credit.text.trim()] as const;
  /** Returns true if a side is neither a system account nor has the form of an account's id. */
  const isNoAccount = (side: string): boolean => !systemAccounts.includes(side) && 'system' in readLedgerAccount(side);
  const allowance = useQuery({ ...allowanceQuery(...sides), enabled: !sides.some(isNoAccount) });
  /** The amount that is booked at once: of the limit, the part that earlier orders have left; undefined until that is known. */
  const left = allowance.data === undefined ? undefined : (allowance.data.amounts[name] ?? token?.approvalAbove ?? '0');
  const isBookedAtOnce = amount !== undefined && left !== undefined && BigInt(amount) <= BigInt(left);
  const ruleOf = ({ approvalAbove, approvalWindowHours: hours, ...of }: MoneyTokens['tokens'][number]): string => {
    if (approvalAbove === '0') return t('money.rule_always');
    const values = { limit: formatMoney({ ...of, amount: approvalAbove }, locale), hours: String(hours) };
    if (left === undefined) return t('money.rule_unknown', values);
    if (left === approvalAbove) return t('money.rule_above', values);
    return left === '0'
      ? t('money.rule_none', values)
      : t('money.rule_left', { ...values, left: formatMoney({ ...of, amount: left }, locale) });
  };
  const problemOf = (side: string) => (tried && isNoAccount(side) ? t('money.no_account') : undefined);
  const people = sides.flatMap((side) => {
    const account = readLedgerAccount(side);
    return 'owner' in account ? [account.owner] : [];
  });
  const transfers = token === undefined || amount === undefined ? [] : [{ debit: sides[0], credit: sides[1], ...token, amount }];
  const account = { list: names, autoComplete: 'off', spellCheck: false, required: true, maxLength: 64 };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (amount === undefined || sides.some(isNoAccount) || !isReason(reason.text) || ordering.isPending) return;
        ordering.mutate({ transfers: [{ debit: sides[0], credit: sides[1], token: name, amount }], reason: reason.text.trim() });
      }}
    >
      <datalist id={names}>
        {systemAccounts.map((one) => (
          <option key={one} value={one}>
            {word('system.', one)}
          </option>
        ))}
      </datalist>
      <TextField
        {...account}
        label={t('money.debit')}
        hint={t('money.account_hint')}
        value={debit.text}
        onChange={debit.change}
        readOnly={given?.side === 'debit'}
        problem={problemOf(sides[0])}
      />
      <TextField
        {...account}
        label={t('money.credit')}
        value={credit.text}
        onChange={credit.change}
        readOnly={given?.side === 'credit'}
        problem={problemOf(sides[1])}
      />
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
        value={typed.text}
        onChange={typed.change}
        problem={tried && amount === undefined ? t('money.amount_problem') : undefined}
      />
      {people.map((accountId) => (
        <OrderAccount key={accountId} accountId={accountId} transfers={transfers} />
      ))}
      <ReasonField value={reason.text} onChange={reason.change} tried={tried} />
      {token === undefined ? null : <p>{ruleOf(token)}</p>}
      <p className="soft small">{t('office.confirms')}</p>
      <Failure error={ordering.error} />
      <div className="actions">
        <Button onClick={close}>{t('app.cancel')}</Button>
        <Button type="submit" kind="primary" busy={ordering.isPending}>
          {token === undefined || amount === undefined
            ? t('money.order')
            : t(isBookedAtOnce ? 'money.move_amount' : 'money.order_amount', { amount: formatMoney({ ...token, amount }, locale) })}
        </Button>
      </div>
    </form>
  );
};

/** Orders money to be moved. Beyond a limit another operator has to approve it. */
export const OrderMoney = ({ given, onClose }: { given?: OrderSide | undefined; onClose: () => void }) => {
  const { t } = useTranslator();
  const tokens = useQuery(tokensQuery);
  return (
    <Sheet title={t('money.order')} onClose={onClose}>
      {tokens.isPending ? <SkeletonRows /> : null}
      <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
      {tokens.data ? <Form {...tokens.data} given={given} onClose={onClose} /> : null}
    </Sheet>
  );
};
