import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { toE164 } from '../domain/phone.ts';
import { isSandbox } from '../environment.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { ResendButton } from './resend-button.tsx';
import { latestCode } from './sandbox/latest-code.ts';

type PhoneFieldProps = {
  label: string;
  value: string;
  onChange: (phone: string) => void;
  problem: string | undefined;
};

/** Asks for a phone number. */
export const PhoneField = (props: PhoneFieldProps) => {
  const { t } = useTranslator();
  return <TextField {...props} hint={t('order.phone_hint')} type="tel" autoComplete="tel" required />;
};

/** A number that a code was sent to. The code is known in a sandbox, where no message leaves the platform; elsewhere it is empty. */
export type SentCode = { sentTo: string; code: string };

export const sendPhoneCode = async (phone: string): Promise<SentCode> => {
  await client.phone.sendPhoneCode({ phone });
  return { sentTo: phone, code: isSandbox ? ((await latestCode(phone)) ?? '') : '' };
};

const NOT_SENT: SentCode = { sentTo: '', code: '' };

/** The code that was sent to a number, as far as it is typed. Another number needs another code. */
export const useSentCode = (phone: string) => {
  const [sent, setSent] = useState(NOT_SENT);
  return {
    code: sent.code,
    isDue: sent.sentTo !== '' && sent.sentTo === toE164(phone),
    keep: setSent,
    change: (code: string) => setSent((former) => ({ ...former, code })),
    drop: () => setSent(NOT_SENT),
  };
};

/** Asks for the code that was sent to a phone number, and sends another. */
export const PhoneCodeField = ({ phone, value, onChange }: { phone: string; value: string; onChange: (code: string) => void }) => {
  const { t } = useTranslator();
  const again = useMutation({ mutationFn: () => sendPhoneCode(phone), onSuccess: ({ code }) => onChange(code) });
  return (
    <>
      <TextField
        label={t('order.phone_code')}
        hint={t('order.phone_sent', { phone })}
        value={value}
        onChange={onChange}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={6}
        className="code-input"
      />
      <Failure error={again.error} />
      <div className="actions">
        <ResendButton busy={again.isPending} onResend={() => again.mutate()} />
      </div>
    </>
  );
};
