import type { Route } from '../../http/define-route.ts';
import { endPageSession } from './end-page-session.ts';
import { openPageSession } from './open-page-session.ts';
import { refreshPageSession } from './refresh-page-session.ts';

/** The operations of the cardholder's app. They are not part of the documented interface: only pages of this origin can call them. */
export const pageRoutes: readonly Route[] = [openPageSession, refreshPageSession, endPageSession];
