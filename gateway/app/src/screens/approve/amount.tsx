import type { ThreeDSChallenge } from '@florin/client';
import { Money } from '@florin/ui/parts/money.tsx';
import { namesOfCountries } from '../../domain/blocks.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The amount, the merchant and the card of a payment. */
export const ChallengeAmount = ({ challenge }: { challenge: ThreeDSChallenge }) => {
  const { t, locale } = useTranslator();
  const { amount, currency, decimals, merchant, cardLast4 } = challenge;
  const name = merchant.displayName ?? t('approve.unnamed');
  return (
    <div className="approval">
      <p className="approval-amount">
        {amount === undefined || currency === undefined ? (
          t('approve.no_amount')
        ) : (
          <Money amount={amount} decimals={decimals ?? 2} currency={currency} />
        )}
      </p>
      <p className="strong">
        {t('approve.at', { merchant: merchant.country === undefined ? name : `${name} (${namesOfCountries(locale)(merchant.country)})` })}
      </p>
      <p className="soft">{t('approve.card', { last4: cardLast4 })}</p>
    </div>
  );
};
