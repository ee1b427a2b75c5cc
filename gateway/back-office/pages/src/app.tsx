import { TranslatorProvider } from '@florin/ui/i18n/translator.tsx';
import { FailureHandling } from '@florin/ui/parts/failure.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './api/queries.ts';
import { sessionQuery } from './api/session.ts';
import { describeOfficeFailure } from './domain/office-failure.ts';
import type { Texts } from './i18n/i18n.ts';
import { router } from './router.tsx';

const FAILURES = {
  describe: describeOfficeFailure,
  // Reads who is signed in; the sign-in is shown when it is nobody.
  signInAgain: () => void queries.resetQueries({ queryKey: sessionQuery.queryKey }),
};

export const App = ({ locale, texts }: { locale: string; texts: Texts }) => (
  <TranslatorProvider locale={locale} texts={texts}>
    <FailureHandling value={FAILURES}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </FailureHandling>
  </TranslatorProvider>
);
