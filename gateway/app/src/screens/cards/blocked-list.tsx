import { Button } from '@florin/ui/parts/button.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { type Blockable, CATEGORIES, COUNTRIES, namesOfCountries } from '../../domain/blocks.ts';
import { categoryName } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Props = {
  list: Blockable;
  /** Codes. */
  blocked: readonly string[];
  /** Codes; if there are any, everything else is blocked too. */
  allowed: readonly string[];
  isBusy: boolean;
  onChange: (code: string, isBlocked: boolean) => void;
};

/** Countries or categories of merchants that a card does not pay: their names, and a choice of more of them. */
export const BlockedList = ({ list, blocked, allowed, isBusy, onChange }: Props) => {
  const { t, locale } = useTranslator();
  const id = useId();
  const [chosen, setChosen] = useState('');
  const nameOf = useMemo(
    () => (list === 'countries' ? namesOfCountries(locale) : (code: string) => categoryName(code, locale) ?? code),
    [list, locale],
  );
  const all = useMemo(() => {
    const options = (list === 'countries' ? COUNTRIES : CATEGORIES).map((value) => ({ value, text: nameOf(value) }));
    const { compare } = new Intl.Collator(locale);
    return options.sort((one, other) => compare(one.text, other.text));
  }, [list, locale, nameOf]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen === '' || isBusy) return;
    onChange(chosen, true);
    setChosen('');
  };
  return (
    <section className="stack" aria-labelledby={id}>
      <h3 id={id}>{t(`controls.${list}`)}</h3>
      {allowed.length === 0 ? null : (
        <p className="soft small">{t('controls.only', { names: new Intl.ListFormat(locale).format(allowed.map(nameOf)) })}</p>
      )}
      {blocked.length === 0 ? (
        <p className="soft small">{t(`controls.${list}_none`)}</p>
      ) : (
        <ul className="rows">
          {blocked.map((code) => (
            <li key={code} className="row row-plain">
              <span>
                <span className="row-title">{nameOf(code)}</span>
                {list === 'categories' ? <span className="soft small">{t('payment.category_code', { code })}</span> : null}
              </span>
              <Button
                small
                disabled={isBusy}
                aria-label={t('controls.permit_label', { name: nameOf(code) })}
                onClick={() => onChange(code, false)}
              >
                {t('controls.permit')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className="form" onSubmit={submit}>
        <SelectField
          label={t(`controls.${list}_block`)}
          placeholder={t('controls.choose')}
          value={chosen}
          onChange={setChosen}
          options={all.filter(({ value }) => !blocked.includes(value))}
        />
        <Button type="submit" disabled={chosen === '' || isBusy}>
          {t('controls.block')}
        </Button>
      </form>
    </section>
  );
};
