import type { Session } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { PreferenceFields } from '@florin/ui/parts/preferences.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addPasskey, signOut } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { LANGUAGES } from '../i18n/load-texts.ts';

const Operator = ({ session, onClose }: { session: Session; onClose: () => void }) => {
  const { t, word } = useTranslator();
  const { operator, expiresAt } = session;
  const leaving = useMutation({ mutationFn: signOut, onSuccess: onClose });
  const adding = useMutation({ mutationFn: addPasskey, onSuccess: () => showToast(t('office.passkey_added')) });
  return (
    <>
      <Facts
        facts={[
          [t('office.signed_in_as'), `${operator.name} (${operator.email})`],
          [t('office.roles'), operator.roles.map((role) => word('role.', role)).join(', ')],
          [t('office.session_ends'), <Time key="at" at={expiresAt} look="short" />],
        ]}
      />
      <Failure error={adding.error ?? leaving.error} />
      <div className="actions">
        <Button busy={adding.isPending} onClick={() => adding.mutate()}>
          {t('office.add_passkey')}
        </Button>
        <Link to="/passkeys" className="button" onClick={onClose}>
          {t('passkeys.title')}
        </Link>
        <Button busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('office.sign_out')}
        </Button>
      </div>
    </>
  );
};

/** The signed-in operator, and the display settings of this browser. */
export const Me = ({ session, onClose }: { session: Session | undefined; onClose: () => void }) => {
  const { t } = useTranslator();
  return (
    <Sheet title={t('office.me')} onClose={onClose}>
      {session === undefined ? null : <Operator session={session} onClose={onClose} />}
      <PreferenceFields languages={LANGUAGES} />
    </Sheet>
  );
};
