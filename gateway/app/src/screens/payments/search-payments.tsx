import { Button } from '@florin/ui/parts/button.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { type FormEvent, useState } from 'react';
import { MAX_MERCHANT, type PaymentSearch, paymentSearchOf } from '../../domain/payment-search.ts';
import { categoriesIn, categoryOf } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Props = {
  search: PaymentSearch;
  onSearch: (search: PaymentSearch) => void;
  onClose: () => void;
};

/** Asks which payments to look for. */
export const SearchPayments = ({ search, onSearch, onClose }: Props) => {
  const { t, locale } = useTranslator();
  const [wanted, setWanted] = useState({
    ...{ merchant: '', from: '', to: '', ...search },
    category: categoryOf(search.category ?? '', locale)?.code ?? '',
  });
  const change = (name: 'merchant' | 'category' | 'from' | 'to') => (value: string) => setWanted({ ...wanted, [name]: value });
  const isReversed = wanted.from !== '' && wanted.to !== '' && wanted.from > wanted.to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReversed) onSearch(paymentSearchOf(wanted));
  };
  return (
    <Sheet title={t('payments.search')} onClose={onClose}>
      <form className="form" noValidate onSubmit={submit}>
        <TextField
          label={t('payments.merchant')}
          hint={t('payments.merchant_hint')}
          value={wanted.merchant}
          onChange={change('merchant')}
          type="search"
          autoComplete="off"
          maxLength={MAX_MERCHANT}
        />
        <SelectField
          label={t('payment.category')}
          placeholder={t('payments.any')}
          value={wanted.category}
          onChange={change('category')}
          options={categoriesIn(locale).map(({ code, name }) => ({ value: code, text: name }))}
        />
        <TextField label={t('payments.from')} type="date" value={wanted.from} onChange={change('from')} />
        <TextField
          label={t('payments.to')}
          type="date"
          value={wanted.to}
          onChange={change('to')}
          problem={isReversed ? t('payments.reversed') : undefined}
        />
        <div className="actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button type="submit" kind="primary">
            {t('payments.find')}
          </Button>
        </div>
      </form>
    </Sheet>
  );
};
