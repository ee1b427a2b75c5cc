import { Button } from '@florin/ui/parts/button.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { paymentsQuery } from '../../api/queries.ts';
import { shopsOf } from '../../domain/shops.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Props = {
  cardId: string;
  /** Ids of the only merchants that the card pays; empty: all of them. */
  allowed: readonly string[];
  /** Ids of merchants that are blocked, and not offered. */
  denied: readonly string[];
  isBusy: boolean;
  onChange: (allowed: string[]) => void;
};

/** Locks a card to one of the shops that it has paid, and lifts the lock. */
export const ShopLock = ({ cardId, allowed, denied, isBusy, onChange }: Props) => {
  const { t, locale } = useTranslator();
  const id = useId();
  const [chosen, setChosen] = useState('');
  const shops = shopsOf(useInfiniteQuery(paymentsQuery({ cardId })).data?.pages.flatMap(({ data }) => data) ?? []);
  const nameOf = (shop: string): string => shops.find((one) => one.id === shop)?.name ?? shop;
  const offered = shops.filter((shop) => !denied.includes(shop.id));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen === '' || isBusy) return;
    onChange([chosen]);
    setChosen('');
  };
  return (
    <section className="stack" aria-labelledby={id}>
      <h3 id={id}>{t('controls.lock')}</h3>
      <p className="soft small">
        {allowed.length > 0
          ? t('controls.lock_only', { names: new Intl.ListFormat(locale).format(allowed.map(nameOf)) })
          : t(offered.length === 0 ? 'controls.lock_later' : 'controls.lock_none')}
      </p>
      {allowed.length > 0 ? (
        <Button disabled={isBusy} onClick={() => onChange([])}>
          {t('controls.lock_lift')}
        </Button>
      ) : null}
      {allowed.length > 0 || offered.length === 0 ? null : (
        <form className="form" onSubmit={submit}>
          <SelectField
            label={t('controls.lock_shop')}
            placeholder={t('controls.choose')}
            value={chosen}
            onChange={setChosen}
            options={offered.map((shop) => ({ value: shop.id, text: shop.name }))}
          />
          <Button type="submit" disabled={chosen === '' || isBusy}>
            {t('controls.lock_set')}
          </Button>
        </form>
      )}
    </section>
  );
};
