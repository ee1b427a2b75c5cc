import { isFlorinError } from '@florin/client';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Button, ButtonLink } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery, balancesQuery, sessionsQuery } from '../../api/queries.ts';
import { closeAccount, signInAgain } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** As long as a sign-in counts as fresh on the platform. */
const FRESH_MS = 5 * 60_000;

/** The time from which an account may be closed that was paid from lately. */
const closableFrom = (error: unknown): string | undefined =>
  isFlorinError(error, 'USER_HAS_RECENT_PAYMENTS') ? /^erasableFrom: (\S+)$/.exec(error.reason ?? '')?.[1] : undefined;

const Form = ({ reference, onClose }: { reference: string | undefined; onClose: () => void }) => {
  const { t, locale } = useTranslator();
  const [typed, setTyped] = useState('');
  const erasing = useMutation({
    mutationFn: () => client.user.eraseUser(),
    onSuccess: () => closeAccount({ reference, closedAt: new Date().toISOString() }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    erasing.mutate();
  };
  const word = t('data.erase_word');
  const from = closableFrom(erasing.error);
  return (
    <form className="form" onSubmit={submit}>
      <TextField label={t('data.erase_type', { word })} value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
      <Failure error={erasing.error}>
        {from === undefined ? null : <p>{t('data.erase_from', { time: formatTime(from, locale) })}</p>}
      </Failure>
      <div className="actions">
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button
          kind="danger"
          type="submit"
          busy={erasing.isPending}
          disabled={typed.trim().toLocaleLowerCase(locale) !== word.toLocaleLowerCase(locale)}
        >
          {t('data.erase_do')}
        </Button>
      </div>
    </form>
  );
};

/** Closes the account for good. Obstacles (money that is left, a sign-in that is too old) are named before. */
export const CloseAccount = ({ onClose }: { onClose: () => void }) => {
  const { t, locale } = useTranslator();
  const account = useQuery(accountQuery);
  const balances = useQuery(balancesQuery);
  const sessions = useQuery(sessionsQuery);
  const error = account.error ?? balances.error ?? sessions.error;
  const left = (balances.data?.data ?? []).filter(({ spendable }) => spendable !== '0');
  const amounts = left.map(({ spendable, decimals, currency }) => formatMoney({ amount: spendable, decimals, currency }, locale));
  const since = sessions.data?.find(({ current }) => current)?.createdAt;
  const isFresh = since === undefined || Date.now() - Date.parse(since) < FRESH_MS;
  const isKnown = account.isSuccess && balances.isSuccess && sessions.isSuccess;
  return (
    <Sheet title={t('data.erase_question')} onClose={onClose}>
      <p>{t('data.erase_lead')}</p>
      <Failure error={error} />
      {isKnown || error !== null ? null : <SkeletonRows rows={1} />}
      {isKnown && left.length > 0 ? (
        <div className="notice notice-warn">
          <p>{t('data.erase_balance', { amount: new Intl.ListFormat(locale).format(amounts) })}</p>
          {account.data.deployment === undefined ? null : <ButtonLink to="/account/withdraw">{t('account.withdraw')}</ButtonLink>}
        </div>
      ) : null}
      {isKnown && left.length === 0 && !isFresh ? (
        <div className="notice">
          <p>{t('data.erase_fresh')}</p>
          <Button kind="primary" onClick={signInAgain}>
            {t('failure.sign_in')}
          </Button>
        </div>
      ) : null}
      {isKnown && left.length === 0 && isFresh ? <Form reference={account.data.reference} onClose={onClose} /> : null}
    </Sheet>
  );
};
