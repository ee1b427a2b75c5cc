import type { Runtime } from '@florin/rpc/runtime';
import { type EventContent, newEvent } from '../domain/events.ts';
import type { Notice } from '../domain/notices.ts';
import type { Told } from '../store/users.ts';

/** The events and the mail of a change of wallets, or of a sign-in with one. */
export const telling = (
  runtime: Pick<Runtime, 'now' | 'newId'>,
  notice: Pick<Notice, 'kind'> & { address: string },
  ...events: EventContent[]
): Told => ({
  events: events.map((content) => newEvent(runtime, content)),
  notice: { ...notice, id: runtime.newId(), at: runtime.now() },
});
