import type { CardLimits, Input } from '@florin/client';
import { formatMoney, minorDigits, parseMoney, toTyped } from '@florin/ui/format/money.ts';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Button, ButtonLink } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { limitsQuery, refresh } from '../../api/queries.ts';
import { aboveProgram, LIMIT_NAMES } from '../../domain/limits.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { withApproval } from '../../wallet/approved.ts';

type Name = (typeof LIMIT_NAMES)[number];
type Typed = Record<Name, string>;

/** The currency in which the card is billed. */
const currencyOf = (limits: CardLimits): string =>
  LIMIT_NAMES.map((name) => limits[name]?.currency).find((found) => found !== undefined) ?? 'EUR';

const LimitsForm = ({ cardId, limits }: { cardId: string; limits: CardLimits }) => {
  const { t, locale, word } = useTranslator();
  const navigate = useNavigate();
  const currency = currencyOf(limits);
  const decimals = minorDigits(currency);
  const [typed, setTyped] = useState<Typed>(() => {
    const textOf = (name: Name) => [name, limits[name] === undefined ? '' : toTyped(limits[name].amount, decimals, locale)];
    return Object.fromEntries(LIMIT_NAMES.map(textOf)) as Typed;
  });
  const [hasTried, setTried] = useState(false);
  const saving = useMutation({
    mutationFn: (given: Input<'cards.setCardLimits'>) =>
      withApproval({ change: 'limits', given }, (approval) => client.cards.setCardLimits({ ...given, ...approval })),
    onSuccess: async () => {
      await refresh('cards');
      showToast(t('app.saved'));
      await navigate({ to: '/cards/$cardId', params: { cardId }, search: {} });
    },
  });
  const amountOf = (name: Name): string | undefined => parseMoney(typed[name], decimals, locale);
  const isWrong = (name: Name): boolean => typed[name].trim() !== '' && amountOf(name) === undefined;
  const isZero = (name: Name): boolean => /^[0.,\s]*0[0.,\s]*$/.test(typed[name]);
  const problem = t('limits.not_an_amount', { example: toTyped('12500', decimals, locale) });
  const above = aboveProgram(saving.error);
  const problemOf = (name: Name): string | undefined => {
    if (hasTried && isWrong(name)) return isZero(name) ? t('limits.zero') : problem;
    return above?.name === name ? t('limits.above', { limit: formatMoney({ amount: above.most, decimals, currency }, locale) }) : undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (LIMIT_NAMES.some(isWrong)) return;
    const limitOf = (name: Name) => {
      const amount = amountOf(name);
      return amount === undefined ? null : { amount, currency };
    };
    saving.mutate({
      cardId,
      perTransaction: limitOf('perTransaction'),
      daily: limitOf('daily'),
      weekly: limitOf('weekly'),
      monthly: limitOf('monthly'),
      atm: limitOf('atm'),
    });
  };
  return (
    <form className="panel form" onSubmit={submit} noValidate>
      <p className="soft">{t('limits.lead')}</p>
      {LIMIT_NAMES.map((name) => (
        <TextField
          key={name}
          label={word('limits.', name)}
          inputMode="decimal"
          unit={currency}
          value={typed[name]}
          onChange={(text) => {
            setTyped({ ...typed, [name]: text });
            saving.reset();
          }}
          problem={problemOf(name)}
        />
      ))}
      <Failure error={above === undefined ? saving.error : undefined} />
      <div className="actions">
        <ButtonLink to="/cards/$cardId" params={{ cardId }} search={{}}>
          {t('app.cancel')}
        </ButtonLink>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {t('app.save')}
        </Button>
      </div>
    </form>
  );
};

export const CardLimitsScreen = () => {
  const { t } = useTranslator();
  const { cardId } = useParams({ from: '/cards/$cardId/limits' });
  const limits = useQuery(limitsQuery(cardId));
  return (
    <Page
      title={t('limits.title')}
      narrow
      back={
        <BackLink to="/cards/$cardId" params={{ cardId }} search={{}}>
          {t('payment.card')}
        </BackLink>
      }
    >
      {limits.isPending ? <SkeletonRows rows={5} /> : null}
      <Failure error={limits.error} onRetry={() => void limits.refetch()} />
      {limits.data === undefined ? null : <LimitsForm cardId={cardId} limits={limits.data} />}
    </Page>
  );
};
