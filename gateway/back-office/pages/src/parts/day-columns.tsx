import { useTranslator } from '../i18n/i18n.ts';

/** Parts of a column's width that separate it from the next one. */
const GAP = 0.2;

/** A day is `2026-01-31`. `text` says the number where it is no plain one. */
type Day = { day: string; count: number; text?: string };

type DayColumnsProps = {
  caption: string;
  /** The head of the column of numbers. */
  head: string;
  /** Oldest first. */
  days: readonly Day[];
};

/** A day as a reader writes it. Days are those of UTC. */
export const formatDay = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** A number for each day: columns for eyes, with the highest number above, the first and the last day below, and the same as a table for screen readers. */
export const DayColumns = ({ caption, head, days }: DayColumnsProps) => {
  const { t, locale } = useTranslator();
  const number = new Intl.NumberFormat(locale);
  const wordsOf = ({ count, text = number.format(count) }: Day): string => text;
  const top = days.reduce<Day>((best, one) => (one.count > best.count ? one : best), days[0] ?? { day: '', count: 0 });
  const most = Math.max(1, top.count);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <div className="day-columns" aria-hidden="true">
        <p className="soft small">{t('trends.highest', { value: wordsOf(top) })}</p>
        <svg aria-hidden="true" viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none">
          {days.map(({ day, count }, index) => (
            <rect
              key={day}
              className="bar-part"
              x={index + GAP / 2}
              y={100 - (100 * count) / most}
              width={1 - GAP}
              height={(100 * count) / most}
            />
          ))}
        </svg>
        <p className="day-ends soft small">
          <span>{first === undefined ? '' : formatDay(first.day, locale)}</span>
          <span>{last === undefined ? '' : formatDay(last.day, locale)}</span>
        </p>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t('trends.day')}</th>
              <th scope="col">{head}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((one) => (
              <tr key={one.day}>
                <th scope="row">{formatDay(one.day, locale)}</th>
                <td>{wordsOf(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
