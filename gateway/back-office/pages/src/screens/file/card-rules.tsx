import type { Card, CardRules } from '@florin/back-office/contract';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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

type RuleName = CardRules['limits'][number]['name'] | 'categories' | 'countries' | 'merchants' | 'off' | 'isSingleUse';

/** The limits and controls of a card by name, each with its title and its value. */
const useRules = (): ((rules: CardRules) => (readonly [name: RuleName, title: string, value: ReactNode])[]) => {
  const { t, word } = useTranslator();
  return ({ limits, categories, countries, merchants, off, isSingleUse }) => [
    ...limits.map((limit) => [limit.name, word('file.limit_', limit.name), <Limit key={limit.name} of={limit} />] as const),
    ['categories', t('file.categories'), <List key="categories" of={categories} />],
    ['countries', t('file.countries'), <List key="countries" of={countries} />],
    ['merchants', t('file.merchants'), <List key="merchants" of={merchants} />],
    ['off', t('file.switched_off'), off.map((way) => word('file.way_', way)).join(', ') || '–'],
    ['isSingleUse', t('file.single_use'), t(isSingleUse ? 'file.single_use_yes' : 'file.single_use_no')],
  ];
};

/** The rule of the card that leads to a decline. Other declines have other causes. */
const RULE_OF: Readonly<Partial<Record<string, RuleName>>> = {
  transaction_limit_exceeded: 'perTransaction',
  daily_limit_exceeded: 'daily',
  weekly_limit_exceeded: 'weekly',
  monthly_limit_exceeded: 'monthly',
  atm_limit_exceeded: 'atm',
  category_blocked: 'categories',
  country_blocked: 'countries',
  merchant_blocked: 'merchants',
  channel_blocked: 'off',
  card_used: 'isSingleUse',
};

/** Why a payment was declined, with the limit or control of its card that declines such a payment, as it is now: it may have been another one then. */
export const Decline = ({ userId, of: { code, cardId } }: { userId: string; of: { code: string; cardId: string } }) => {
  const { t, word } = useTranslator();
  const toFacts = useRules();
  const rule = RULE_OF[code];
  const { data } = useQuery({ ...cardRulesQuery(userId, cardId), enabled: rule !== undefined });
  const [, title, value] = (data && toFacts(data).find(([name]) => name === rule)) ?? [];
  return (
    <>
      {word('decline.', code)}
      {title === undefined ? null : (
        <span className="soft small">
          {' '}
          {t('file.rule_now', { rule: title })} {value}
        </span>
      )}
    </>
  );
};

/** The limits and controls of a card. */
export const Rules = ({ userId, card, onClose }: { userId: string; card: Card; onClose: () => void }) => {
  const { t } = useTranslator();
  const toFacts = useRules();
  const rules = useQuery(cardRulesQuery(userId, card.id));
  return (
    <Sheet title={t('file.rules_of', { last4: card.last4 })} onClose={onClose}>
      {rules.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={rules.error} onRetry={() => void rules.refetch()} />
      {rules.data === undefined ? null : <Facts facts={toFacts(rules.data).map(([, title, value]) => [title, value] as const)} />}
    </Sheet>
  );
};
