import { NotFound } from '@florin/ui/parts/not-found.tsx';
import { ScreenFailure } from '@florin/ui/parts/screen-failure.tsx';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { OverviewScreen } from './screens/overview.tsx';
import { Shell } from './screens/shell.tsx';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const of = <Path extends string>(path: Path) => ({ getParentRoute: () => rootRoute, path });

const people = () => import('./screens/people/screens.ts');
const file = () => import('./screens/file/screens.ts');
const program = () => import('./screens/program.ts');

const fileRoute = createRoute({ ...of('/people/$userId'), component: lazyRouteComponent(file, 'PersonFile') });
const within = <Path extends string>(path: Path) => ({ getParentRoute: () => fileRoute, path });

type MovementsSearch = {
  /** The only deposit that is shown. */
  deposit?: string;
  /** The only withdrawal that is shown. */
  withdrawal?: string;
};

const fileRoutes = [
  createRoute({ ...within('/'), component: lazyRouteComponent(file, 'Account') }),
  createRoute({ ...within('/cards'), component: lazyRouteComponent(file, 'Cards') }),
  createRoute({ ...within('/payments'), component: lazyRouteComponent(file, 'Payments') }),
  createRoute({ ...within('/payments/$paymentId'), component: lazyRouteComponent(file, 'PaymentScreen') }),
  createRoute({ ...within('/challenges'), component: lazyRouteComponent(file, 'Challenges') }),
  createRoute({ ...within('/challenges/$challengeId'), component: lazyRouteComponent(file, 'ChallengeScreen') }),
  createRoute({
    ...within('/movements'),
    component: lazyRouteComponent(file, 'Movements'),
    validateSearch: ({ deposit, withdrawal }): MovementsSearch => ({
      ...(typeof deposit === 'string' ? { deposit } : {}),
      ...(typeof withdrawal === 'string' ? { withdrawal } : {}),
    }),
  }),
  createRoute({ ...within('/entries'), component: lazyRouteComponent(file, 'Entries') }),
  createRoute({ ...within('/sessions'), component: lazyRouteComponent(file, 'Sessions') }),
  createRoute({ ...within('/events'), component: lazyRouteComponent(file, 'Events') }),
] as const;

type PartnersSearch = {
  /** Whose keys and endpoints are shown. */
  partner?: string;
  /** Whose attempts are shown. */
  endpoint?: string;
};

type QueueSearch = {
  /** Which items are shown. */
  filter?: string;
  /** Their order. */
  sort?: string;
};

type ListSearch = {
  /** The row that is marked: the item of a queue. */
  item?: string;
};

const readList = ({ item }: Record<string, unknown>): ListSearch => (typeof item === 'string' ? { item } : {});

type ChainSearch = ListSearch & {
  /** The order for a halted chain that is marked. */
  halt?: string;
};

type SettlementSearch = {
  /** The closed day that is shown. */
  day?: string;
};

const routes = [
  createRoute({ ...of('/'), component: OverviewScreen }),
  createRoute({ ...of('/people'), component: lazyRouteComponent(people, 'FindPerson') }),
  fileRoute.addChildren(fileRoutes),
  createRoute({ ...of('/queues'), component: lazyRouteComponent(program, 'QueuesScreen') }),
  createRoute({
    ...of('/queues/$queue'),
    component: lazyRouteComponent(program, 'QueueScreen'),
    validateSearch: ({ filter, sort }): QueueSearch => ({
      ...(typeof filter === 'string' ? { filter } : {}),
      ...(typeof sort === 'string' ? { sort } : {}),
    }),
  }),
  createRoute({ ...of('/money'), component: lazyRouteComponent(program, 'MoneyScreen'), validateSearch: readList }),
  createRoute({ ...of('/exceptions'), component: lazyRouteComponent(program, 'ExceptionsScreen'), validateSearch: readList }),
  createRoute({
    ...of('/settlement'),
    component: lazyRouteComponent(program, 'SettlementScreen'),
    validateSearch: ({ day }): SettlementSearch => (typeof day === 'string' ? { day } : {}),
  }),
  createRoute({ ...of('/reserves'), component: lazyRouteComponent(program, 'ReservesScreen') }),
  createRoute({
    ...of('/chain'),
    component: lazyRouteComponent(program, 'ChainScreen'),
    validateSearch: ({ halt, ...list }): ChainSearch => ({ ...readList(list), ...(typeof halt === 'string' ? { halt } : {}) }),
  }),
  createRoute({
    ...of('/partners'),
    component: lazyRouteComponent(program, 'PartnersScreen'),
    validateSearch: ({ partner, endpoint }): PartnersSearch => ({
      ...(typeof partner === 'string' ? { partner } : {}),
      ...(typeof endpoint === 'string' ? { endpoint } : {}),
    }),
  }),
  createRoute({ ...of('/operators'), component: lazyRouteComponent(program, 'OperatorsScreen') }),
  createRoute({ ...of('/audit'), component: lazyRouteComponent(program, 'AuditScreen') }),
  createRoute({ ...of('/passkeys'), component: lazyRouteComponent(program, 'PasskeysScreen') }),
  // The shell shows the enrolment in the place of every screen.
  createRoute({ ...of('/enrol'), component: () => null }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  defaultErrorComponent: ScreenFailure,
  defaultPreload: 'intent',
  // Reading a person's file is recorded: nothing is read before it is asked for.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended.
  interface Register {
    router: typeof router;
  }
}
