import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { fundsQuery, refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The questions about the source of funds; those that an operator has written are shown in the operator's words. */
export const Funds = () => {
  const { t, word } = useTranslator();
  const shown = (text: string): string => word('funds.text_', text, text);
  const funds = useQuery(fundsQuery);
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const sending = useMutation({
    mutationFn: (answers: { question: string; answer: string }[]) => client.sourceOfFunds.submitSourceOfFunds({ answers }),
    onSuccess: () => refresh('onboarding', 'account'),
  });
  if (funds.isPending) return <SkeletonRows rows={4} />;
  if (funds.isError) return <Failure error={funds.error} onRetry={() => void funds.refetch()} />;
  const answerTo = ({ question, answer = '' }: { question: string; answer?: string | undefined }) => changed[question] ?? answer;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(funds.data.map((asked) => ({ question: asked.question, answer: answerTo(asked) })));
  };
  return (
    <form className="panel form" onSubmit={submit}>
      <p className="soft">{t('funds.lead')}</p>
      {funds.data.map((asked) => (
        <SelectField
          key={asked.question}
          label={shown(asked.question)}
          required
          value={answerTo(asked)}
          onChange={(answer) => setChanged({ ...changed, [asked.question]: answer })}
          placeholder={t('funds.choose')}
          options={asked.answers.map((answer) => ({ value: answer, text: shown(answer) }))}
        />
      ))}
      <Failure error={sending.error} />
      <Button kind="primary" type="submit" busy={sending.isPending}>
        {t('funds.done')}
      </Button>
    </form>
  );
};
