import { formatMoney, minorDigits, parseMoney, toTyped } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cardsQuery } from '../../api/queries.ts';
import { liveCards } from '../../domain/cards.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { useOpenApproval } from '../approve/use-open-approval.ts';
import { MERCHANTS } from './merchants.ts';
import { askForApproval, finishPurchase, type Purchase, type PurchaseResult, payDirectly } from './play-shop.ts';

const CURRENCY = 'EUR';

/** Says how a purchase ended. The shop goes on while the drawer is closed, so this is no part of it. */
const useReport = () => {
  const { t, locale, word } = useTranslator();
  return ({ merchant: { name: merchant }, amount, currency }: Purchase, result: PurchaseResult | undefined): void => {
    if (result === undefined) showToast(t('sandbox.not_approved', { merchant }));
    else if (result.approved) {
      showToast(t('sandbox.paid', { merchant, amount: formatMoney({ amount, currency, decimals: minorDigits(currency) }, locale) }));
    } else
      showToast(
        t('sandbox.not_paid', {
          merchant,
          reason: result.reason === undefined ? '' : word('decline.', result.reason.code, t('decline.other')),
        }),
      );
  };
};

/** Plays a shop on the internet. */
export const Shop = ({ onClose }: { onClose: () => void }) => {
  const { t, locale } = useTranslator();
  const openApproval = useOpenApproval();
  const report = useReport();
  const decimals = minorDigits(CURRENCY);
  const priceOf = (price: string) => toTyped(price, decimals, locale);
  const cards = useQuery(cardsQuery);
  const usable = liveCards(cards.data ?? []);
  const [place, setPlace] = useState('0');
  const merchant = MERCHANTS[Number(place)] ?? MERCHANTS[0];
  const [typed, setTyped] = useState(() => priceOf(MERCHANTS[0].price));
  const [chosen, setChosen] = useState('');
  const cardId = chosen === '' ? usable[0]?.id : chosen;
  const amount = parseMoney(typed, decimals, locale);
  const paying = useMutation({
    mutationFn: payDirectly,
    onSuccess: (result, purchase) => {
      report(purchase, result);
      onClose();
    },
  });
  const asking = useMutation({
    mutationFn: askForApproval,
    onSuccess: (challengeId, purchase) => {
      onClose();
      openApproval(challengeId);
      finishPurchase(purchase, challengeId).then(
        (result) => report(purchase, result),
        () => undefined,
      );
    },
  });
  const start = (begin: (purchase: Purchase) => void) => {
    if (amount !== undefined && cardId !== undefined) begin({ cardId, amount, currency: CURRENCY, merchant });
  };
  if (usable.length === 0) return <p className="notice">{t('sandbox.no_card')}</p>;
  return (
    <section className="form">
      <h3>{t('sandbox.pay')}</h3>
      <SelectField
        label={t('sandbox.merchant')}
        value={place}
        onChange={(next) => {
          setPlace(next);
          setTyped(priceOf(MERCHANTS[Number(next)]?.price ?? ''));
        }}
        options={MERCHANTS.map(({ name, city }, index) => ({ value: String(index), text: `${name}, ${city}` }))}
      />
      <TextField
        label={t('sandbox.amount')}
        inputMode="decimal"
        unit={CURRENCY}
        value={typed}
        onChange={setTyped}
        problem={amount === undefined ? t('limits.not_an_amount', { example: priceOf('1250') }) : undefined}
      />
      {usable.length > 1 ? (
        <SelectField
          label={t('sandbox.card')}
          value={cardId ?? ''}
          onChange={setChosen}
          options={usable.map(({ id, cardName, last4 }) => ({ value: id, text: `${cardName} · ${last4}` }))}
        />
      ) : null}
      <Failure error={asking.error ?? paying.error} />
      <div className="actions">
        <Button kind="primary" busy={asking.isPending} onClick={() => start(asking.mutate)}>
          {t('sandbox.pay_secure')}
        </Button>
        <Button busy={paying.isPending} onClick={() => start(paying.mutate)}>
          {t('sandbox.pay_direct')}
        </Button>
      </div>
    </section>
  );
};
