import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Problem } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh, termsQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

export const Terms = () => {
  const { t } = useTranslator();
  const terms = useQuery(termsQuery);
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const [hasTried, setTried] = useState(false);
  const id = useId();
  const accepting = useMutation({
    mutationFn: (documents: readonly { type: string; currentVersion: string }[]) =>
      client.terms.acceptTerms({ terms: documents.map(({ type, currentVersion }) => ({ type, version: currentVersion })) }),
    onSuccess: () => refresh('onboarding', 'account'),
  });
  if (terms.isPending) return <SkeletonRows />;
  if (terms.isError) return <Failure error={terms.error} onRetry={() => void terms.refetch()} />;
  const open = terms.data.filter(({ accepted }) => !accepted);
  const isMissing = (type: string): boolean => hasTried && !agreed.has(type);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (open.every(({ type }) => agreed.has(type))) accepting.mutate(open);
    else event.currentTarget.querySelector<HTMLInputElement>('input:not(:checked)')?.focus();
  };
  const toggle = (type: string) => {
    const next = new Set(agreed);
    if (!next.delete(type)) next.add(type);
    setAgreed(next);
  };
  return (
    <form className="panel form" onSubmit={submit} noValidate>
      <p className="soft">{t('terms.lead')}</p>
      <ul className="stack">
        {open.map(({ type, name, url, currentVersion }) => (
          <li key={type} className="stack-tight">
            <a href={url} target="_blank" rel="noreferrer">
              {t('terms.read', { name })}
            </a>
            <label className="choice">
              <input
                type="checkbox"
                required
                checked={agreed.has(type)}
                aria-invalid={isMissing(type) || undefined}
                aria-describedby={isMissing(type) ? `${id}-${type}` : undefined}
                onChange={() => toggle(type)}
              />
              {t('terms.accept', { name, version: currentVersion })}
            </label>
            <Problem id={`${id}-${type}`} text={isMissing(type) ? t('terms.missing') : undefined} />
          </li>
        ))}
      </ul>
      <Failure error={accepting.error} />
      <Button kind="primary" type="submit" busy={accepting.isPending}>
        {t('terms.done')}
      </Button>
    </form>
  );
};
