import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from './api/queries.ts';
import { type Texts, TranslatorProvider } from './i18n/i18n.tsx';
import { router } from './router.tsx';

export const App = ({ locale, texts }: { locale: string; texts: Texts }) => (
  <TranslatorProvider locale={locale} texts={texts}>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </TranslatorProvider>
);
