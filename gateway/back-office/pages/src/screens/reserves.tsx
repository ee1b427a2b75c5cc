import type { Reserves } from '@florin/back-office/contract';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ask } from '../api/http.ts';
import { reservesQuery } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import type { ReservesFile } from '../api/types.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Screen } from '../parts/screen.tsx';
import { Short } from '../parts/short.tsx';
import { Table } from '../parts/table.tsx';

type Proof = Reserves['proofs'][number];

/** A proof is made each day; who checks one accepts it for two hours longer. */
const MAX_AGE_MS = 26 * 3_600_000;

const TONES = { covered: 'good', missing: 'bad', invalid: 'bad', 'too-large': 'plain' } as const;

const ProofPanel = ({ of: { chainId, block, blockHash, createdAt, verdict, problem, safes, hash, tokens } }: { of: Proof }) => {
  const { t, word, locale } = useTranslator();
  const isOld = Date.now() - Date.parse(createdAt) > MAX_AGE_MS;
  const loading = useMutation({
    mutationFn: () => ask<ReservesFile>('GET', `/api/reserves/${chainId}/${block}`),
    onSuccess: ({ text }) => saveFile(`florin-reserves-${chainId}-${block}.jsonl`, 'application/x-ndjson', text),
  });
  return (
    <section className="panel">
      <div className="list-head">
        <h2>{t('reserves.of', { chain: String(chainId) })}</h2>
        {verdict === 'too-large' ? null : (
          <Button busy={loading.isPending} onClick={() => loading.mutate()}>
            {t('reserves.download')}
          </Button>
        )}
      </div>
      <Failure error={loading.error} />
      <p>
        <Badge tone={TONES[verdict]}>{word('reserves.verdict_', verdict)}</Badge>{' '}
        {isOld ? <Badge tone="bad">{t('reserves.old')}</Badge> : null}
      </p>
      {verdict === 'covered' || verdict === 'missing' ? null : (
        <p className="soft">{t(verdict === 'invalid' ? 'reserves.invalid_hint' : 'reserves.too_large_hint', { problem })}</p>
      )}
      <Facts
        facts={[
          [t('reserves.made'), <Time key="at" at={createdAt} />],
          [t('chain.block'), block],
          [t('reserves.block_hash'), <Short key="block" text={blockHash} />],
          [t('reserves.safes'), hash === '' ? undefined : new Intl.NumberFormat(locale).format(safes)],
          [t('reserves.hash'), hash === '' ? undefined : <Short key="hash" text={hash} />],
        ]}
      />
      {tokens.length === 0 ? null : (
        <Table
          caption={t('reserves.sums')}
          rows={tokens}
          keyOf={({ token }) => token}
          columns={[
            { head: t('overview.token'), cell: ({ token }) => token },
            { head: t('reserves.held'), end: true, cell: ({ held }) => <Money {...held} /> },
            { head: t('reserves.treasury'), end: true, cell: ({ treasury }) => <Money {...treasury} /> },
            { head: t('reserves.owed'), end: true, cell: ({ owed }) => <Money {...owed} /> },
            { head: t('reserves.missing'), end: true, cell: ({ missing }) => <Money {...missing} /> },
            {
              head: t('office.status'),
              cell: ({ isCovered }) => (
                <Badge tone={isCovered ? 'good' : 'bad'}>{word('reserves.verdict_', isCovered ? 'covered' : 'missing')}</Badge>
              ),
            },
          ]}
        />
      )}
    </section>
  );
};

/** The newest proof of reserves of each chain. */
export const ReservesScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const { data, isPending, error, refetch } = useQuery({ ...reservesQuery, enabled: may('overview.read') });
  return (
    <Screen title={t('office.reserves')} needs="overview.read">
      {isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={error} onRetry={() => void refetch()} />
      {data?.proofs.length === 0 ? (
        <div className="panel">
          <Empty icon={<ShieldIcon />} title={t('reserves.none')} />
        </div>
      ) : null}
      {data?.proofs.map((proof) => (
        <ProofPanel key={proof.chainId} of={proof} />
      ))}
    </Screen>
  );
};
