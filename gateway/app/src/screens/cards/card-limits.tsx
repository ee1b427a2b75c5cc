import type { CardLimits as Limits } from '@florin/client';
import { formatMoney, minorDigits } from '@florin/ui/format/money.ts';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { limitsQuery } from '../../api/queries.ts';
import { LIMIT_NAMES, usedShare } from '../../domain/limits.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const LOW = 0.9;

type Limit = NonNullable<Limits[keyof Limits]>;

const LimitLine = ({ name, limit }: { name: (typeof LIMIT_NAMES)[number]; limit: Limit }) => {
  const { t, locale, word } = useTranslator();
  const format = (amount: string) => formatMoney({ amount, decimals: minorDigits(limit.currency), currency: limit.currency }, locale);
  const title = word('limits.', name);
  const share = usedShare(limit);
  const isCounted = limit.resetsAt !== undefined;
  const text = isCounted
    ? t('limits.used', { used: format(limit.used), limit: format(limit.amount) })
    : t('limits.up_to', { limit: format(limit.amount) });
  return (
    <li className="limit">
      <p className="limit-line">
        <span className="strong">{title}</span>
        <span className="numbers small">{text}</span>
      </p>
      {isCounted ? (
        <>
          <progress className={share >= LOW ? 'meter meter-low' : 'meter'} max={1} value={share} aria-label={`${title}: ${text}`} />
          <p className="soft small">
            {limit.resetsAt === undefined ? null : t('limits.resets', { time: formatTime(limit.resetsAt, locale, 'short') })}
          </p>
        </>
      ) : null}
    </li>
  );
};

/** The limits of a card, and how much of each is used. */
export const CardLimits = ({ cardId }: { cardId: string }) => {
  const { t } = useTranslator();
  const limits = useQuery(limitsQuery(cardId));
  if (limits.isPending) return <SkeletonRows rows={2} />;
  if (limits.isError) return <Failure error={limits.error} onRetry={() => void limits.refetch()} />;
  const lines = LIMIT_NAMES.flatMap((name) => {
    const limit = limits.data[name];
    return limit === undefined ? [] : [<LimitLine key={name} name={name} limit={limit} />];
  });
  return lines.length === 0 ? <p className="soft">{t('limits.none')}</p> : <ul>{lines}</ul>;
};
