import { Empty } from '@florin/ui/parts/empty.tsx';
import { ShieldIcon } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import type { ReactNode } from 'react';
import { type Permission, useMay } from '../api/session.ts';
import { useTranslator } from '../i18n/i18n.ts';

type ScreenProps = { title: string; needs: Permission; action?: ReactNode; narrow?: boolean; children: ReactNode };

/** A screen for those who may see it; others are told that they may not, and nothing is read. */
export const Screen = ({ title, needs, action, narrow = false, children }: ScreenProps) => {
  const { t } = useTranslator();
  const may = useMay();
  return (
    <Page title={title} action={may(needs) ? action : undefined} narrow={narrow}>
      {may(needs) ? (
        children
      ) : (
        <div className="panel">
          <Empty icon={<ShieldIcon />} title={t('office.not_allowed')} />
        </div>
      )}
    </Page>
  );
};
