import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router';
import { StartPage } from './start-page.tsx';

const rootRoute = createRootRoute({ component: Outlet });
const startRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: StartPage });
const router = createRouter({ basepath: '/app', routeTree: rootRoute.addChildren([startRoute]) });

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the router learns its routes by declaration merging
  interface Register {
    router: typeof router;
  }
}

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

export const App = () => (
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
);
