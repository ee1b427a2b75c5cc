import { NotFound } from '@florin/ui/parts/not-found.tsx';
import { ScreenFailure } from '@florin/ui/parts/screen-failure.tsx';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { paymentSearchOf } from './domain/payment-search.ts';
import { isMonth } from './domain/spending.ts';
import { Home } from './screens/next/later.ts';
import { Shell } from './screens/shell.tsx';

type RootSearch = { /** The payment whose approval is open above the screen. */ approve?: string };

const UUID = /^[0-9a-f-]{36}$/i;

const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: ({ approve }): RootSearch => (typeof approve === 'string' && UUID.test(approve) ? { approve } : {}),
});

const of = <Path extends string>(path: Path) => ({ getParentRoute: () => rootRoute, path });

const cards = () => import('./screens/cards/screens.ts');
const payments = () => import('./screens/payments/screens.ts');
const account = () => import('./screens/account/screens.ts');

const routes = [
  createRoute({ ...of('/'), component: () => <Home /> }),
  createRoute({ ...of('/cards'), component: lazyRouteComponent(cards, 'Cards') }),
  createRoute({ ...of('/cards/order'), component: lazyRouteComponent(cards, 'OrderAnotherCard') }),
  createRoute({ ...of('/cards/$cardId'), component: lazyRouteComponent(cards, 'CardScreen') }),
  createRoute({ ...of('/cards/$cardId/limits'), component: lazyRouteComponent(cards, 'CardLimitsScreen') }),
  createRoute({
    ...of('/payments'),
    validateSearch: paymentSearchOf,
    component: lazyRouteComponent(payments, 'Payments'),
  }),
  createRoute({
    ...of('/payments/insights'),
    validateSearch: ({ month }): { month?: string } => (isMonth(month) ? { month } : {}),
    component: lazyRouteComponent(payments, 'Insights'),
  }),
  createRoute({ ...of('/payments/approvals'), component: lazyRouteComponent(payments, 'Approvals') }),
  createRoute({ ...of('/payments/$paymentId'), component: lazyRouteComponent(payments, 'PaymentScreen') }),
  createRoute({ ...of('/account'), component: lazyRouteComponent(account, 'Account') }),
  createRoute({ ...of('/account/deposit'), component: lazyRouteComponent(account, 'Deposit') }),
  createRoute({ ...of('/account/withdraw'), component: lazyRouteComponent(account, 'Withdraw') }),
  createRoute({
    ...of('/security'),
    validateSearch: ({ close }): { close?: true } => (close === true ? { close } : {}),
    component: lazyRouteComponent(() => import('./screens/security/security.tsx'), 'Security'),
  }),
] as const;

export const router = createRouter({
  basepath: '/app',
  routeTree: rootRoute.addChildren(routes),
  defaultErrorComponent: ScreenFailure,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended.
  interface Register {
    router: typeof router;
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended.
  interface HistoryState {
    /** Going back in the history closes what is open above the screen. */
    isAbove?: boolean;
  }
}
