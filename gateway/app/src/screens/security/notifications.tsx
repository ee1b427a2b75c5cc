import type { Output } from '@florin/client';
import { shownLanguage } from '@florin/ui/page/preferences.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { canPush, deviceHere, disableOthers, disablePush, enablePush } from '../../api/push.ts';
import { capabilitiesQuery, notificationsQuery, queries } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

type Chosen = Output<'notifications.getNotificationPreferences'>['preferences'];

const KINDS = ['challenge', 'payment_approved', 'payment_declined', 'refund', 'deposit', 'withdrawal', 'card', 'security'] as const;

/** When devices are silent at first, until the person says otherwise. */
const NIGHT = { from: '22:00', to: '07:00' };

const CHANNELS = ['push', 'email'] as const;

/** The id of this browser among the devices; null if nothing is pushed to it. */
const hereQuery = queryOptions({ queryKey: ['notifications', 'here'], queryFn: async () => (await deviceHere()) ?? null });

/** Switches notifications of this browser on and off. A browser that cannot show them, or may not, says why. */
const ThisDevice = ({ publicKey }: { publicKey: string }) => {
  const { t } = useTranslator();
  const here = useQuery(hereQuery);
  const switching = useMutation({
    mutationFn: async (isOn: boolean) => (isOn ? enablePush(publicKey, shownLanguage()) : disablePush()),
  });
  if (!canPush()) return <p className="soft">{t('notify.cannot')}</p>;
  const isOn = here.data !== null && here.data !== undefined;
  const isDenied = switching.data === 'denied' || Notification.permission === 'denied';
  return (
    <>
      {isDenied ? <p className="notice small">{t('notify.denied')}</p> : null}
      <Failure error={switching.error} />
      <div className="actions">
        <Button busy={switching.isPending || here.isPending} kind={isOn ? 'plain' : 'primary'} onClick={() => switching.mutate(!isOn)}>
          {isOn ? t('notify.off_here') : t('notify.on_here')}
        </Button>
      </div>
    </>
  );
};

/** Switches notifications of the person's other browsers off: an ended session leaves them on. */
const OtherDevices = ({ ids }: { ids: readonly string[] }) => {
  const { t } = useTranslator();
  const here = useQuery(hereQuery);
  const others = ids.filter((id) => id !== here.data);
  const stopping = useMutation({ mutationFn: disableOthers, onSuccess: () => showToast(t('notify.others_stopped')) });
  if (here.isPending || others.length === 0) return null;
  return (
    <>
      <p className="soft">{t('notify.others', { count: others.length })}</p>
      <Failure error={stopping.error} />
      <div className="actions">
        <Button busy={stopping.isPending} onClick={() => stopping.mutate()}>
          {t('notify.others_stop')}
        </Button>
      </div>
    </>
  );
};

type ChangeProps = { chosen: Chosen; onChange: (next: Chosen) => void };

/** The kinds that are pushed, and those that are mailed. */
const Kinds = ({ chosen, onChange }: ChangeProps) => {
  const { t, word } = useTranslator();
  return (
    <table className="channels">
      <caption className="visually-hidden">{t('notify.kinds')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('notify.kind')}</th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col">
              {t(`notify.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">{word('notify.kind_', kind)}</th>
            {CHANNELS.map((channel) => (
              <td key={channel}>
                <input
                  type="checkbox"
                  aria-label={`${word('notify.kind_', kind)}: ${t(`notify.${channel}`)}`}
                  checked={chosen.kinds[kind][channel]}
                  onChange={({ target }) =>
                    onChange({ ...chosen, kinds: { ...chosen.kinds, [kind]: { ...chosen.kinds[kind], [channel]: target.checked } } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** When devices stay silent, in the time zone of this browser. */
const Quiet = ({ chosen, onChange }: ChangeProps) => {
  const { t } = useTranslator();
  const { quietHours, ...rest } = chosen;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const change = (changed: Partial<typeof NIGHT>) => {
    const next = { ...NIGHT, ...quietHours, ...changed, timeZone };
    if (next.from !== '' && next.to !== '' && next.from !== next.to) onChange({ ...rest, quietHours: next });
  };
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={quietHours !== undefined}
          onChange={({ target }) => (target.checked ? change({}) : onChange(rest))}
        />
        <span>{t('notify.quiet')}</span>
      </label>
      {quietHours === undefined ? null : (
        <div className="side-by-side">
          <TextField type="time" label={t('notify.from')} value={quietHours.from} onChange={(from) => change({ from })} />
          <TextField type="time" label={t('notify.to')} value={quietHours.to} onChange={(to) => change({ to })} />
        </div>
      )}
      <p className="soft small">{t('notify.urgent')}</p>
    </>
  );
};

/** Preferences of notifications: kinds, channels, quiet hours. A change shows at once, and is undone if the platform rejects it. */
export const Notifications = () => {
  const { t } = useTranslator();
  const capabilities = useQuery(capabilitiesQuery);
  const isOffered = capabilities.data?.notifications !== undefined;
  const settings = useQuery({ ...notificationsQuery, enabled: isOffered });
  const changing = useMutation({
    // Each request states all kinds: one after the other.
    scope: { id: 'notifications' },
    mutationFn: (next: Chosen) => client.notifications.setNotificationPreferences({ ...next, language: shownLanguage() }),
    onSuccess: (preferences) =>
      queries.setQueryData(notificationsQuery.queryKey, (before) => (before === undefined ? before : { ...before, preferences })),
  });
  if (!isOffered) return null;
  const { publicKey } = capabilities.data?.notifications ?? {};
  const chosen = changing.isPending ? changing.variables : settings.data?.preferences;
  return (
    <section className="panel">
      <h2>{t('notify.title')}</h2>
      <p className="soft">{t('notify.lead')}</p>
      {publicKey === undefined ? null : <ThisDevice publicKey={publicKey} />}
      {settings.data === undefined ? null : <OtherDevices ids={settings.data.devices.map(({ id }) => id)} />}
      {settings.isPending ? <SkeletonRows /> : null}
      <Failure error={settings.error} onRetry={() => void settings.refetch()} />
      {chosen === undefined ? null : (
        <>
          <Kinds chosen={chosen} onChange={changing.mutate} />
          <Quiet chosen={chosen} onChange={changing.mutate} />
        </>
      )}
      <Failure error={changing.error} />
    </section>
  );
};
