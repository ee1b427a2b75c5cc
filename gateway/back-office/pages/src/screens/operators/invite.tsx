import type { Invitation } from '@florin/back-office/contract';
import { ROLES } from '@florin/back-office/contract/roles';
import { useRequestKey } from '@florin/ui/page/use-request-key.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/http.ts';
import { queries } from '../../api/queries.ts';
import { confirmedIfAsked } from '../../api/session.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { type Role, RoleFields } from './role-fields.tsx';

type Body = { email: string; roles: readonly Role[]; reason: string };

const Link = ({ email, of: { url, expiresAt, waits } }: { email: string; of: Invitation }) => {
  const { t, locale } = useTranslator();
  return (
    <>
      <h3>{t('operators.link', { email })}</h3>
      <p className="signed-text">{url}</p>
      <p className="soft small">{t('operators.link_once', { time: formatTime(expiresAt, locale, 'short') })}</p>
      {waits ? <p className="notice">{t('operators.waits')}</p> : null}
      <CopyButton text={url} label={t('office.copy')} />
    </>
  );
};

/** Makes a link for a new operator. */
export const Invite = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslator();
  const { keyOf, done } = useRequestKey();
  const email = useDraft('/api/operators/invitations email');
  const [roles, setRoles] = useState<readonly Role[]>(['viewer']);
  const reason = useDraft('/api/operators/invitations reason');
  const [tried, setTried] = useState(false);
  /** Somebody is about to close the sheet with the only copy of the link. */
  const [isLeaving, setLeaving] = useState(false);
  const inviting = useMutation({
    mutationFn: (body: Body) => confirmedIfAsked(() => ask<Invitation>('POST', '/api/operators/invitations', { body, key: keyOf(body) })),
    onSuccess: () => {
      done();
      email.drop();
      reason.drop();
      return queries.invalidateQueries({ queryKey: ['operators'] });
    },
  });
  return (
    <Sheet title={t('operators.invite_title')} onClose={() => (inviting.data ? setLeaving(true) : onClose())}>
      {inviting.data ? (
        <>
          <Link email={inviting.variables.email} of={inviting.data} />
          {isLeaving ? (
            <p className="notice notice-warn" role="alert">
              {t('operators.link_lost')}
            </p>
          ) : null}
          <Button kind="primary" onClick={onClose}>
            {t('operators.link_kept')}
          </Button>
        </>
      ) : (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (roles.length > 0 && isReason(reason.text) && !inviting.isPending)
              inviting.mutate({ email: email.text.trim(), roles, reason: reason.text.trim() });
          }}
        >
          <p>{t('operators.invite_lead')}</p>
          <TextField
            label={t('operators.email')}
            type="email"
            value={email.text}
            onChange={email.change}
            autoComplete="off"
            maxLength={254}
            required
          />
          <RoleFields
            of={ROLES}
            value={roles}
            onChange={setRoles}
            problem={tried && roles.length === 0 ? t('operators.roles_problem') : undefined}
          />
          <ReasonField value={reason.text} onChange={reason.change} tried={tried} />
          <Failure error={inviting.error} />
          <div className="actions">
            <Button onClick={onClose}>{t('app.cancel')}</Button>
            <Button type="submit" kind="primary" busy={inviting.isPending}>
              {t('operators.make')}
            </Button>
          </div>
        </form>
      )}
    </Sheet>
  );
};
