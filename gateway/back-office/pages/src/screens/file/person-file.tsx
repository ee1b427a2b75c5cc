import type { Access } from '@florin/back-office/contract';
import { formatCountdown } from '@florin/ui/format/time-left.ts';
import { useCountdown } from '@florin/ui/page/use-countdown.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask, hasCode } from '../../api/http.ts';
import { accessQuery, personPath, personQuery, queries } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useCurrentInView } from '../../parts/use-current-in-view.ts';
import { useDraft } from '../../parts/use-draft.ts';

/** Asks why the file is read, and opens it. */
const OpenFile = ({ userId }: { userId: string }) => {
  const { t } = useTranslator();
  const reason = useDraft(`${personPath(userId)}/access`);
  const [tried, setTried] = useState(false);
  const opening = useMutation({
    mutationFn: () => ask<Access>('POST', `${personPath(userId)}/access`, { body: { reason: reason.text.trim() } }),
    onSuccess: (access) => {
      reason.drop();
      queries.setQueryData(accessQuery(userId).queryKey, access);
    },
  });
  return (
    <form
      className="panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isReason(reason.text) && !opening.isPending) opening.mutate();
      }}
    >
      <h2>{t('file.closed_title')}</h2>
      <p>{t('file.closed_lead')}</p>
      <ReasonField value={reason.text} onChange={reason.change} tried={tried} />
      <Failure error={opening.error} />
      <div className="form-end">
        <Button type="submit" kind="primary" busy={opening.isPending}>
          {t('file.open')}
        </Button>
      </div>
    </form>
  );
};

/** The reason, and how long the file stays open. When the time is over, it closes. */
const OpenUntil = ({ access }: { access: Access }) => {
  const { t } = useTranslator();
  const left = useCountdown(access.expiresAt, 0);
  useEffect(() => {
    if (left > 0) return;
    queries.removeQueries({ queryKey: ['people', access.userId] });
    queries.setQueryData(accessQuery(access.userId).queryKey, null);
  }, [left, access.userId]);
  return (
    <p className="open-until">
      <span>{t('file.reason_given', { reason: access.reason })}</span>
      <span className="numbers">{t('file.open_for', { time: formatCountdown(left) })}</span>
    </p>
  );
};

const Parts = ({ userId }: { userId: string }) => {
  const { t } = useTranslator();
  const row = useCurrentInView();
  const parts = [
    { to: '/people/$userId', text: t('file.account'), exact: true },
    { to: '/people/$userId/cards', text: t('file.cards'), exact: false },
    { to: '/people/$userId/payments', text: t('file.payments'), exact: false },
    { to: '/people/$userId/challenges', text: t('file.challenges'), exact: false },
    { to: '/people/$userId/movements', text: t('file.movements'), exact: false },
    { to: '/people/$userId/entries', text: t('file.entries'), exact: false },
    { to: '/people/$userId/sessions', text: t('file.sessions'), exact: false },
    { to: '/people/$userId/events', text: t('file.events'), exact: false },
  ] as const;
  return (
    <nav ref={row} className="parts" aria-label={t('file.parts')}>
      {parts.map(({ to, text, exact }) => (
        <Link key={to} to={to} params={{ userId }} activeOptions={{ exact }} preload={false}>
          {text}
        </Link>
      ))}
    </nav>
  );
};

const Opened = ({ access }: { access: Access }) => {
  const { userId } = access;
  const person = useQuery(personQuery(userId));
  const isClosed = hasCode(person.error, 'REASON_REQUIRED');
  useEffect(() => {
    if (isClosed) queries.setQueryData(accessQuery(userId).queryKey, null);
  }, [isClosed, userId]);
  return (
    <>
      <OpenUntil access={access} />
      {person.data ? (
        <p className="file-name">
          <span className="strong">{person.data.user.email}</span> <span className="mono soft">{userId}</span>
        </p>
      ) : null}
      <Parts userId={userId} />
      <Outlet />
    </>
  );
};

/** A person's file: closed until a reason is given. */
export const PersonFile = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId' });
  const may = useMay();
  const access = useQuery({ ...accessQuery(userId), enabled: may('people.read') });
  return (
    <Screen title={t('file.title')} needs="people.read">
      {access.isPending ? <SkeletonRows /> : null}
      <Failure error={access.error} onRetry={() => void access.refetch()} />
      {access.data === null ? <OpenFile userId={userId} /> : null}
      {access.data ? <Opened access={access.data} /> : null}
    </Screen>
  );
};
