import type { Runtime } from '@florin/rpc/runtime';
import { type EventContent, newEvent } from '../domain/events.ts';
import type { WalletKind } from '../domain/notices.ts';
import type { Told } from '../store/users.ts';

/** The events and the mail of a change of wallets. */
export const telling = (
  runtime: Pick<Runtime, 'now' | 'newId'>,
  notice: { kind: WalletKind; address: string },
  ...events: EventContent[]
): Told => ({
  events: events.map((content) => newEvent(runtime, content)),
  notice: { ...notice, id: runtime.newId(), at: runtime.now() },
});
