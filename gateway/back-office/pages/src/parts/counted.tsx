import { COUNTED_TO } from '@florin/back-office/contract/queue-names';
import { useTranslator } from '../i18n/i18n.ts';

/** A number that is counted up to a thousand. */
export const Counted = ({ of }: { of: number }) => {
  const { locale } = useTranslator();
  return (
    <span className="numbers">
      {new Intl.NumberFormat(locale).format(of)}
      {of >= COUNTED_TO ? '+' : ''}
    </span>
  );
};
