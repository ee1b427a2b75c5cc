import { hasFieldProblem } from '@florin/ui/page/failure-view.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { readSession } from '../../api/session.ts';
import { isSandbox } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ResendButton } from '../resend-button.tsx';
import { latestCode } from '../sandbox/latest-code.ts';

const register = async (input: { email: string; otp: string }): Promise<void> => {
  await client.user.registerUser(input);
  await readSession();
};

const Code = ({ email, onOther }: { email: string; onOther: () => void }) => {
  const { t } = useTranslator();
  const [otp, setOtp] = useState('');
  const registering = useMutation({ mutationFn: register });
  const again = useMutation({ mutationFn: () => client.auth.sendEmailCode({ email }) });
  const reading = useMutation({ mutationFn: () => latestCode(email), onSuccess: (code) => setOtp(code ?? '') });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    registering.mutate({ email, otp: otp.trim() });
  };
  return (
    <form className="panel form" onSubmit={submit}>
      <p>{t('register.sent', { email })}</p>
      <TextField
        label={t('register.code')}
        value={otp}
        onChange={setOtp}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        maxLength={16}
        className="code-input"
        autoFocus
      />
      {isSandbox ? (
        <div className="stack-tight">
          <Button busy={reading.isPending} onClick={() => reading.mutate()}>
            {t('register.read_mail')}
          </Button>
          <p className="field-hint">{t('register.read_mail_hint')}</p>
        </div>
      ) : null}
      <Failure error={registering.error ?? again.error ?? reading.error} />
      <Button kind="primary" type="submit" busy={registering.isPending}>
        {t('register.finish')}
      </Button>
      <div className="actions">
        <ResendButton busy={again.isPending} onResend={() => again.mutate()} />
        <Button kind="quiet" onClick={onOther}>
          {t('register.other')}
        </Button>
      </div>
    </form>
  );
};

/** E-mail address, then the code that was sent to it. */
export const Register = () => {
  const { t } = useTranslator();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const sending = useMutation({
    mutationFn: (to: string) => client.auth.sendEmailCode({ email: to }),
    onSuccess: (_done, to) => setSentTo(to),
  });
  if (sentTo !== undefined) return <Code email={sentTo} onOther={() => setSentTo(undefined)} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate(email.trim());
  };
  const problem = hasFieldProblem(sending.error, 'email') ? t('register.email_wrong') : undefined;
  return (
    <form className="panel form" onSubmit={submit}>
      <p className="soft">{t('register.lead')}</p>
      <TextField
        label={t('register.email')}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="email"
        required
        maxLength={254}
        problem={problem}
      />
      {problem === undefined ? <Failure error={sending.error} /> : null}
      <Button kind="primary" type="submit" busy={sending.isPending}>
        {t('register.send')}
      </Button>
    </form>
  );
};
