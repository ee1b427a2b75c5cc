import { formatToken } from '@florin/ui/format/money.ts';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { wholeHours } from '@florin/ui/format/time-left.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { accountQuery, balancesQuery, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const signSetUp = async (): Promise<void> => {
  const [{ setUpAccount }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  await setUpAccount(client, await currentSigner());
};

/** The facts that the client cannot compute, and the person agrees to: whose the second key is, how long the way out without it takes, and what may be collected. */
const Terms = () => {
  const { t, locale } = useTranslator();
  const { data } = useQuery(accountQuery);
  const { data: balances } = useQuery(balancesQuery);
  const { platformOwner, cooldownSeconds, collection } = data?.deployment ?? {};
  if (platformOwner === undefined || cooldownSeconds === undefined) return null;
  const tokens = balances?.data.flatMap((currency) => currency.tokens) ?? [];
  const limits = (collection?.limits ?? []).map(({ token, perDay }) => {
    const known = tokens.find(({ contract }) => contract?.toLowerCase() === token.toLowerCase());
    return known === undefined ? `${perDay} ${shortAddress(token)}` : formatToken(perDay, known.decimals, known.token, locale);
  });
  return (
    <Facts
      facts={[
        [
          t('set_up.second_key'),
          <span key="key" className="mono" title={platformOwner}>
            {shortAddress(platformOwner)}
          </span>,
        ],
        [t('set_up.way_out'), t('set_up.way_out_after', { count: wholeHours(cooldownSeconds) })],
        ...limits.map((amount) => [t('set_up.collected'), t('set_up.collected_per_day', { amount })] as const),
      ]}
    />
  );
};

/** The person's part of setting the account up on its chain: a signature. */
export const SetUp = () => {
  const { t } = useTranslator();
  const signing = useMutation({ mutationFn: signSetUp, onSettled: () => refresh('account', 'onboarding') });
  return (
    <div className="panel">
      <p className="soft">{t('set_up.lead')}</p>
      <Terms />
      <Failure error={signing.error} />
      <Button kind="primary" busy={signing.isPending} onClick={() => signing.mutate()}>
        {t('set_up.sign')}
      </Button>
    </div>
  );
};
