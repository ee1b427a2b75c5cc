import type { PreparedWithdrawal, WithdrawalRequest } from '@florin/client/viem';
import { formatMoney, minorDigits, parseMoney, toTyped } from '@florin/ui/format/money.ts';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery, balancesQuery, refresh, rowsOf, withdrawalsQuery } from '../../api/queries.ts';
import { recipientNames } from '../../api/recipient-names.ts';
import { addressProblem, readAddress } from '../../domain/address.ts';
import { recipientsOf } from '../../domain/recipients.ts';
import { createSentOnce } from '../../domain/sent-once.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import { isContract } from '../../wallet/is-contract.ts';

type Token = { token: string; decimals: number; currency: string; available: string; contract: string | undefined };
type Order = { token: Token /** In the token's smallest unit. */; amount: string; to: string };

type Send = (order: Order) => Promise<void>;

const createSend = (): Send => {
  const send = createSentOnce(async (content: WithdrawalRequest): Promise<PreparedWithdrawal> => {
    const { prepareWithdrawal } = await import('@florin/client/viem');
    return prepareWithdrawal(client, content);
  });
  return async ({ token: { token, contract }, amount, to }) => {
    const { currentSigner } = await import('../../wallet/signer.ts');
    await send({ token, amount, to, ...(contract === undefined ? {} : { tokenAddress: contract }) }, await currentSigner());
  };
};

type CheckProps = { order: Order; chainId: number; send: Send; onClose: () => void };

/** The text to be signed, once more, before the wallet is asked. */
const Check = ({ order, chainId, send, onClose }: CheckProps) => {
  const { t } = useTranslator();
  const code = useQuery({
    queryKey: ['is-contract', chainId, order.to],
    queryFn: () => isContract(chainId, order.to),
    // The wallet is asked, which answers or not without the browser's connection too.
    networkMode: 'always',
  });
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: () => send(order),
    onSuccess: async () => {
      await refresh('movements', 'balances');
      showToast(t('withdraw.done'));
      await navigate({ to: '/account', search: {} });
    },
  });
  const { token } = order;
  const name = recipientNames().get(order.to.toLowerCase());
  return (
    <Sheet title={t('withdraw.check')} onClose={onClose}>
      <p className="approval approval-amount">
        <Money amount={order.amount} decimals={token.decimals} currency={token.currency} />
      </p>
      <Facts
        facts={[
          [
            t('withdraw.token'),
            <span key="token" title={token.contract}>
              {token.token}
              {token.contract === undefined ? '' : ` · ${shortAddress(token.contract)}`}
            </span>,
          ],
          [
            t('withdraw.to'),
            <span key="to">
              {name}
              {name === undefined ? null : <br />}
              <span className="mono">{order.to}</span>
            </span>,
          ],
        ]}
      />
      <div role="status">{code.data === true ? <p className="notice notice-warn">{t('withdraw.to_contract')}</p> : null}</div>
      <Failure error={sending.error} />
      <div className="actions">
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button kind="primary" busy={code.isPending || sending.isPending} onClick={() => sending.mutate()}>
          {t('withdraw.sign')}
        </Button>
      </div>
    </Sheet>
  );
};

const WithdrawForm = ({ tokens, chainId }: { tokens: readonly Token[]; chainId: number }) => {
  const { t, locale } = useTranslator();
  const [symbol, setSymbol] = useState(tokens[0]?.token ?? '');
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState('');
  const [hasTried, setTried] = useState(false);
  const [order, setOrder] = useState<Order>();
  // One as long as the form is open: whoever closes the check after a lost answer and sends the same again pays once.
  const [send] = useState(createSend);
  const withdrawals = useInfiniteQuery(withdrawalsQuery);
  const token = tokens.find((one) => one.token === symbol);
  if (token === undefined) return null;
  // Money has the digits of its currency; the rest of a token's digits are zeros.
  const digits = minorDigits(token.currency);
  const minor = parseMoney(typed, digits, locale);
  const amount = minor === undefined ? undefined : `${minor}${'0'.repeat(token.decimals - digits)}`;
  const isTooMuch = amount !== undefined && BigInt(amount) > BigInt(token.available);
  const own = chosenWallet()?.address;
  const names = recipientNames();
  const recipients = recipientsOf(rowsOf(withdrawals.data), names, own);
  const address = readAddress(to);
  const toName = names.get(address.toLowerCase());
  /** Amounts below one unit of the currency stay. */
  const all = (BigInt(token.available) / 10n ** BigInt(token.decimals - digits)).toString();
  const toProblem = addressProblem(address);
  const available = formatMoney({ amount: token.available, decimals: token.decimals, currency: token.currency }, locale);
  const amountProblem =
    amount === undefined
      ? t('limits.not_an_amount', { example: toTyped('1250', 2, locale) })
      : isTooMuch
        ? t('withdraw.available', { amount: available })
        : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount !== undefined && !isTooMuch && toProblem === undefined) setOrder({ token, amount, to: address });
  };
  return (
    <form className="panel form" onSubmit={submit} noValidate>
      <p className="soft">{t('withdraw.lead')}</p>
      <SelectField
        label={t('withdraw.token')}
        value={symbol}
        onChange={setSymbol}
        options={tokens.map((one) => ({ value: one.token, text: one.token }))}
      />
      <TextField
        label={t('withdraw.amount')}
        hint={isTooMuch ? undefined : t('withdraw.available', { amount: available })}
        inputMode="decimal"
        autoComplete="off"
        unit={token.currency}
        value={typed}
        onChange={setTyped}
        problem={hasTried || isTooMuch ? amountProblem : undefined}
      />
      <Button small onClick={() => setTyped(toTyped(all, digits, locale))}>
        {t('withdraw.all')}
      </Button>
      <TextField
        label={t('withdraw.to')}
        hint={toName === undefined ? t('withdraw.to_hint') : t('withdraw.to_named', { name: toName })}
        value={to}
        onChange={setTo}
        autoComplete="off"
        spellCheck={false}
        problem={hasTried && toProblem !== undefined ? t(toProblem) : undefined}
      />
      {own === undefined || own === to ? null : (
        <Button small onClick={() => setTo(own)}>
          {t('withdraw.own')}
        </Button>
      )}
      {recipients.length === 0 ? null : (
        <fieldset className="actions">
          <legend className="soft small">{t('withdraw.used_before')}</legend>
          {recipients.map((recipient) => (
            <Button key={recipient} small onClick={() => setTo(recipient)}>
              {names.get(recipient.toLowerCase()) ?? <span className="mono">{shortAddress(recipient)}</span>}
            </Button>
          ))}
        </fieldset>
      )}
      <Button kind="primary" type="submit">
        {t('withdraw.review')}
      </Button>
      {order === undefined ? null : <Check order={order} chainId={chainId} send={send} onClose={() => setOrder(undefined)} />}
    </form>
  );
};

/** Sends money out of the account, by a signature of the wallet that owns it. */
export const Withdraw = () => {
  const { t } = useTranslator();
  const account = useQuery(accountQuery);
  const balances = useQuery(balancesQuery);
  const tokens = balances.data?.data.flatMap(({ currency, tokens: rows }) =>
    rows.map(({ token, decimals, maxInstantWithdraw, contract }) => ({
      token,
      decimals,
      currency,
      contract,
      available: maxInstantWithdraw,
    })),
  );
  return (
    <Page
      title={t('withdraw.title')}
      narrow
      back={
        <BackLink to="/account" search={{}}>
          {t('account.title')}
        </BackLink>
      }
    >
      {balances.isPending || account.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={balances.error ?? account.error} onRetry={() => void Promise.all([balances.refetch(), account.refetch()])} />
      {account.isSuccess && account.data.deployment === undefined ? <p className="notice">{t('withdraw.not_here')}</p> : null}
      {tokens !== undefined && account.data?.deployment !== undefined ? (
        <WithdrawForm tokens={tokens} chainId={Number(account.data.chain.id)} />
      ) : null}
    </Page>
  );
};
