import { isFlorinError } from '@florin/client';
import { hasFieldProblem } from '@florin/ui/page/failure-view.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { toE164 } from '../../domain/phone.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PhoneCodeField, PhoneField, type SentCode, sendPhoneCode, useSentCode } from '../phone-fields.tsx';

/** @returns the number, if a code was sent to it that has to be entered; undefined once the number is changed */
const change = async (phone: string): Promise<SentCode | undefined> => {
  try {
    await client.phone.updatePhone({ phone });
    return undefined;
  } catch (error) {
    if (!isFlorinError(error, 'CODE_REQUIRED')) throw error;
    return sendPhoneCode(phone);
  }
};

const confirm = async (code: string): Promise<undefined> => {
  await client.phone.updatePhone({ code });
};

/** Changes the phone number. Where the platform wants a code from the new number, the sheet asks for it. */
export const ChangePhone = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const [phone, setPhone] = useState('');
  const sent = useSentCode(phone);
  const changing = useMutation({
    mutationFn: () => (sent.isDue ? confirm(sent.code.trim()) : change(toE164(phone))),
    onSuccess: async (asked) => {
      if (asked !== undefined) {
        sent.keep(asked);
        return;
      }
      await refresh('user');
      showToast(t('phone.changed'));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  const problem = hasFieldProblem(changing.error, 'phone') ? t('order.phone_wrong') : undefined;
  return (
    <Sheet title={t('phone.change_title')} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <PhoneField label={t('phone.new')} value={phone} onChange={setPhone} problem={problem} />
        {sent.isDue ? <PhoneCodeField phone={toE164(phone)} value={sent.code} onChange={sent.change} /> : null}
        {problem === undefined ? <Failure error={changing.error} /> : null}
        <Button kind="primary" type="submit" busy={changing.isPending}>
          {sent.isDue ? t('phone.confirm') : t('phone.change')}
        </Button>
      </form>
    </Sheet>
  );
};
