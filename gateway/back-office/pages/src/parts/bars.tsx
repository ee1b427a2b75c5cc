import { useTranslator } from '../i18n/i18n.ts';

type BarsProps = {
  caption: string;
  rows: readonly { name: string; count: number }[];
};

/** Numbers that are parts of a whole: a table, with a bar beside each number as long as its share. */
export const Bars = ({ caption, rows }: BarsProps) => {
  const { locale } = useTranslator();
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <table className="bars">
      <caption className="visually-hidden">{caption}</caption>
      <tbody>
        {rows.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="numbers">
              {number.format(count)} <span className="soft small">{percent.format(total === 0 ? 0 : count / total)}</span>
            </td>
            <td aria-hidden="true">
              <svg className="bar" aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">
                <rect className="bar-rest" width={100} height={1} />
                <rect className="bar-part" width={total === 0 ? 0 : (100 * count) / total} height={1} />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
