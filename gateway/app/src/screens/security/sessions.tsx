import type { Output } from '@florin/client';
import { deviceName } from '@florin/ui/format/device-name.ts';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Confirm } from '@florin/ui/parts/confirm.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { disableOthers } from '../../api/push.ts';
import { capabilitiesQuery, refresh, sessionsQuery } from '../../api/queries.ts';
import { signOut } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Session = Output<'auth.listSessions'>['data'][number];

const Row = ({ session, onEnd, isEnding }: { session: Session; onEnd: () => void; isEnding: boolean }) => {
  const { t, locale } = useTranslator();
  const device = deviceName(session.userAgent) ?? t('security.unknown_device');
  return (
    <li className="row row-plain">
      <span>
        <span className="row-title">{device}</span>
        <span className="soft small">
          {t('security.last_used', { time: formatTime(session.lastUsedAt, locale, 'short') })} · {shortAddress(session.wallet)}
        </span>
      </span>
      {session.current ? (
        <Badge tone="good">{t('security.this_device')}</Badge>
      ) : (
        <Button small busy={isEnding} aria-label={t('security.end_label', { device })} onClick={onEnd}>
          {t('security.end')}
        </Button>
      )}
    </li>
  );
};

/** Where the person is signed in, and the ways out. */
export const Sessions = () => {
  const { t } = useTranslator();
  const sessions = useQuery(sessionsQuery);
  const isNotified = useQuery(capabilitiesQuery).data?.notifications !== undefined;
  const [isAsking, setAsking] = useState(false);
  const ending = useMutation({
    mutationFn: (id: string) => client.auth.endSession({ id }),
    onSuccess: async () => {
      await refresh('sessions');
      showToast(t('security.ended'));
    },
  });
  const endingAll = useMutation({
    mutationFn: async () => {
      // A sign-out that does not reach the notifications is one all the same; the devices stay listed.
      if (isNotified) await disableOthers().catch(() => undefined);
      await client.auth.logoutAll();
    },
    onSuccess: () => signOut(),
  });
  const leaving = useMutation({ mutationFn: () => signOut() });
  return (
    <section className="panel">
      <h2>{t('security.sessions')}</h2>
      {sessions.isPending ? <SkeletonRows rows={2} /> : null}
      <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />
      <Failure error={ending.error} />
      <ul className="rows">
        {(sessions.data ?? []).map((session) => (
          <Row
            key={session.id}
            session={session}
            isEnding={ending.isPending && ending.variables === session.id}
            onEnd={() => ending.mutate(session.id)}
          />
        ))}
      </ul>
      <div className="actions">
        <Button busy={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('security.sign_out')}
        </Button>
        <Button onClick={() => setAsking(true)}>{t('security.sign_out_all')}</Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t('security.sign_out_all_question')}
          lead={t('security.sign_out_all_lead')}
          action={t('security.sign_out_all')}
          busy={endingAll.isPending}
          failure={endingAll.error}
          onConfirm={() => endingAll.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
};
