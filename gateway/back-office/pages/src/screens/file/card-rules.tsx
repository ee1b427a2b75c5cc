import type { Card, CardRules } from '@florin/back-office/contract';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { cardRulesQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const Limit = ({ of }: { of: CardRules['limits'][number] }) => {
  const { t } = useTranslator();
  return (
    <>
      <Money {...of} />
      {of.used === undefined ? null : (
        <span className="soft small">
          {' '}
          {t('file.used')} <Money {...of} amount={of.used} />
        </span>
      )}
      {of.resetsAt === undefined ? null : (
        <span className="soft small">
          {' '}
          {t('file.resets')} <Time at={of.resetsAt} look="short" />
        </span>
      )}
    </>
  );
};

const List = ({ of: { allow, deny } }: { of: CardRules['categories'] }) => {
  const { t } = useTranslator();
  const parts = [
    ...(allow.length === 0 ? [] : [t('file.only', { list: allow.join(', ') })]),
    ...(deny.length === 0 ? [] : [t('file.not', { list: deny.join(', ') })]),
  ];
  return <span className="wrap">{parts.length === 0 ? t('file.all') : parts.join('; ')}</span>;
};

/** The limits and controls of a card, which say why a payment was declined. */
export const Rules = ({ userId, card, onClose }: { userId: string; card: Card; onClose: () => void }) => {
  const { t, word } = useTranslator();
  const rules = useQuery(cardRulesQuery(userId, card.id));
  return (
    <Sheet title={t('file.rules_of', { last4: card.last4 })} onClose={onClose}>
      {rules.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={rules.error} onRetry={() => void rules.refetch()} />
      {rules.data === undefined ? null : (
        <Facts
          facts={[
            ...rules.data.limits.map((limit) => [word('file.limit_', limit.name), <Limit key={limit.name} of={limit} />] as const),
            [t('file.categories'), <List key="categories" of={rules.data.categories} />],
            [t('file.countries'), <List key="countries" of={rules.data.countries} />],
            [t('file.merchants'), <List key="merchants" of={rules.data.merchants} />],
            [t('file.switched_off'), rules.data.off.map((way) => word('file.way_', way)).join(', ') || '–'],
            [t('file.single_use'), t(rules.data.isSingleUse ? 'file.single_use_yes' : 'file.single_use_no')],
          ]}
        />
      )}
    </Sheet>
  );
};
