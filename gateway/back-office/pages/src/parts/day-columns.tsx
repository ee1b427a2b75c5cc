import { useTranslator } from '../i18n/i18n.ts';

/** Parts of a column's width that separate it from the next one. */
const GAP = 0.2;

type DayColumnsProps = {
  caption: string;
  /** Oldest first; a day is `2026-01-31`. `text` says the number where it is no plain one. */
  days: readonly { day: string; count: number; text?: string }[];
};

/** A day as a reader writes it. Days are those of UTC. */
export const formatDay = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** A number for each day: columns for eyes, with the first and the last day below, and the same as a table for screen readers. */
export const DayColumns = ({ caption, days }: DayColumnsProps) => {
  const { t, locale } = useTranslator();
  const most = Math.max(1, ...days.map(({ count }) => count));
  const number = new Intl.NumberFormat(locale);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <div className="day-columns" aria-hidden="true">
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
              <th scope="col">{t('trends.count')}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count, text }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day, locale)}</th>
                <td>{text ?? number.format(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
