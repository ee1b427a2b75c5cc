import type { EnrolmentOptions } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, hasCode } from '../api/http.ts';
import { enrol } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';

const Form = ({ token, options, onAgain }: { token: string; options: EnrolmentOptions; onAgain: () => void }) => {
  const { t, word } = useTranslator();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const making = useMutation({
    mutationFn: () => enrol(token, name.trim(), options),
    onSuccess: () => navigate({ to: '/', replace: true }),
    // A ceremony is good for one answer.
    onError: onAgain,
  });
  return (
    <form
      className="panel"
      onSubmit={(event) => {
        event.preventDefault();
        if (!making.isPending) making.mutate();
      }}
    >
      <p>{t('enrol.lead')}</p>
      <Facts
        facts={[
          [t('enrol.email'), options.email],
          [t('office.roles'), options.roles.map((role) => word('role.', role)).join(', ')],
          [t('enrol.expires'), <Time key="at" at={options.expiresAt} />],
        ]}
      />
      <TextField
        label={t('enrol.name')}
        hint={t('enrol.name_hint')}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={80}
        required
      />
      <Failure error={making.error} />
      <Button type="submit" kind="primary" wide busy={making.isPending}>
        {t('enrol.make')}
      </Button>
    </form>
  );
};

/** The page of a link that invites an operator. The secret of the link is its fragment, which no server's log sees. */
export const Enrol = () => {
  const { t } = useTranslator();
  const [token] = useState(() => location.hash.slice(1));
  const options = useQuery({
    queryKey: ['session', 'enrolment', token],
    queryFn: ({ signal }) => ask<EnrolmentOptions>('POST', '/api/enrolment/options', { body: { token }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isGone = hasCode(options.error, 'NOT_FOUND') || hasCode(options.error, 'VALIDATION_FAILED');
  return (
    <Page title={isGone ? t('enrol.gone') : t('enrol.title')} narrow>
      {options.isPending ? <SkeletonRows /> : null}
      {isGone ? (
        <div className="panel">
          <p>{t('enrol.gone_hint')}</p>
        </div>
      ) : (
        <Failure error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.isSuccess ? <Form token={token} options={options.data} onAgain={() => void options.refetch()} /> : null}
    </Page>
  );
};
