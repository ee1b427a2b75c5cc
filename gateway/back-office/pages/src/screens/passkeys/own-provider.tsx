import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { passkeysQuery, signInMethodsQuery } from '../../api/queries.ts';
import { linkProvider } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The operator's identity at the OpenID provider, if one is configured. */
export const OwnProvider = () => {
  const { t } = useTranslator();
  const name = useQuery(signInMethodsQuery).data?.oidc?.name;
  const passkeys = useQuery(passkeysQuery).data;
  const linking = useMutation({ mutationFn: linkProvider });
  if (name === undefined || passkeys === undefined) return null;
  const { provider } = passkeys;
  return (
    <section className="panel">
      <h2>{t('provider.title', { name })}</h2>
      <p className="soft">{provider === undefined ? t('provider.lead') : t('provider.linked', { subject: provider.subject })}</p>
      <Failure error={linking.error} />
      {provider === undefined ? (
        <Button busy={linking.isPending} onClick={() => linking.mutate()}>
          {t('provider.link')}
        </Button>
      ) : null}
    </section>
  );
};
