import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { OfficeError } from '../api/http.ts';
import { signInMethodsQuery } from '../api/queries.ts';
import { hasSessionEnded, signIn } from '../api/session.ts';
import { returnedError } from '../domain/returned-error.ts';
import { useTranslator } from '../i18n/i18n.ts';

/** The error of the OpenID provider, which leads back with it in the address. */
const failedThere = (): OfficeError | undefined => {
  const { code, ...more } = returnedError(location.search) ?? {};
  return code === undefined ? undefined : new OfficeError(code, 'the sign-in failed', more);
};

export const SignIn = () => {
  const { t } = useTranslator();
  const methods = useQuery(signInMethodsQuery);
  const signing = useMutation({ mutationFn: signIn });
  const oidc = methods.data?.oidc;
  return (
    <Page title={t('sign_in.title')} narrow>
      <div className="panel">
        <p>{t('sign_in.lead')}</p>
        {hasSessionEnded() ? <p className="notice">{t('sign_in.ended')}</p> : null}
        {methods.isPending ? <SkeletonRows rows={1} /> : null}
        <Failure error={methods.error} onRetry={() => void methods.refetch()} />
        {methods.data?.hasOperators === false ? <p className="notice">{t('sign_in.nobody')}</p> : null}
        <Failure error={signing.error ?? (signing.isIdle ? failedThere() : undefined)} />
        {methods.isSuccess ? (
          <div className="stack">
            <Button kind="primary" wide busy={signing.isPending} onClick={() => signing.mutate()}>
              {t('sign_in.passkey')}
            </Button>
            {oidc === undefined ? null : (
              <a className="button button-wide" href="/sign-in/oidc">
                {t('sign_in.oidc', { name: oidc.name })}
              </a>
            )}
          </div>
        ) : null}
      </div>
    </Page>
  );
};
