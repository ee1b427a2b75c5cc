import { TranslatorProvider } from '@florin/ui/i18n/translator.tsx';
import { FailureHandling } from '@florin/ui/parts/failure.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './api/queries.ts';
import { signInAgain } from './api/session.ts';
import { describeFailure } from './domain/failure.ts';
import { supportUrl } from './environment.ts';
import type { Texts } from './i18n/i18n.ts';
import { useLoadAhead } from './load-ahead.ts';
import { router } from './router.tsx';

const FAILURES = { describe: describeFailure, signInAgain, supportUrl };

export const App = ({ locale, texts }: { locale: string; texts: Texts }) => {
  useLoadAhead();
  return (
    <TranslatorProvider locale={locale} texts={texts}>
      <FailureHandling value={FAILURES}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </FailureHandling>
    </TranslatorProvider>
  );
};
