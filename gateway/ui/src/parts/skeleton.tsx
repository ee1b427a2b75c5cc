import { useTranslator } from '../i18n/translator.tsx';
import { useIsOnline } from '../page/use-is-online.ts';

/** Takes the place of rows that are loading, as high as they will be, so that nothing jumps. */
export const SkeletonRows = ({ rows = 3 }: { rows?: number }) => {
  const { t } = useTranslator();
  const isOnline = useIsOnline();
  // Reading is paused until then.
  if (!isOnline) {
    return (
      <p className="soft" role="status">
        {t('app.loading_offline')}
      </p>
    );
  }
  return (
    <div className="stack" role="status">
      <span className="visually-hidden">{t('app.loading')}</span>
      {Array.from({ length: rows }, (_unused, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike, and never change their order.
        <span key={index} className="skeleton skeleton-row" />
      ))}
    </div>
  );
};
