import { Failure } from '@florin/ui/parts/failure.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const SHOWN = 5;

const readPost = async (addresses: readonly string[], signal: AbortSignal) => {
  const boxes = await Promise.all(addresses.map((to) => client.sandbox.listOutbox({ to }, { signal })));
  return boxes
    .flatMap(({ data }) => data)
    .sort((one, other) => other.sentAt.localeCompare(one.sentAt))
    .slice(0, SHOWN);
};

/** The mails and text messages that the platform sent to the person. */
export const Post = ({ addresses }: { addresses: readonly string[] }) => {
  const { t } = useTranslator();
  const post = useQuery({ queryKey: ['post', addresses], queryFn: ({ signal }) => readPost(addresses, signal), staleTime: 0 });
  return (
    <section className="stack">
      <h3>{t('sandbox.mail')}</h3>
      {post.data?.length === 0 ? <p className="soft">{t('sandbox.mail_none')}</p> : null}
      <Failure error={post.error} onRetry={() => void post.refetch()} />
      <ul className="stack">
        {(post.data ?? []).map(({ text, to, sentAt }) => (
          <li key={`${sentAt} ${to}`} className="notice small">
            <p className="soft">
              {to} · <Time at={sentAt} look="short" />
            </p>
            <p className="row-wrap">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
};
