import { useTranslator } from '../i18n/translator.tsx';

const STYLES = {
  full: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  clock: { timeStyle: 'short' },
  short: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type TimeStyle = keyof typeof STYLES;

const isThisYear = (at: string): boolean => new Date(at).getFullYear() === new Date().getFullYear();

export const formatTime = (at: string, locale: string, style: TimeStyle = 'full'): string =>
  new Intl.DateTimeFormat(locale, {
    ...STYLES[style],
    ...(style === 'short' && !isThisYear(at) ? { year: 'numeric' } : {}),
  }).format(new Date(at));

/** Month and year of a card, for example `11/2030`. */
export const formatExpiry = (month: number, year: number): string => `${String(month).padStart(2, '0')}/${year}`;

/** A time where the reader is, in the reader's format. */
export const Time = ({ at, look = 'full' }: { at: string; look?: TimeStyle }) => {
  const { locale } = useTranslator();
  return (
    <time dateTime={at} className="numbers">
      {formatTime(at, locale, look)}
    </time>
  );
};
