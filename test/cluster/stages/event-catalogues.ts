import { NAMESPACE, rolledOut } from '@florin/cluster';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { fromOwnAddress } from '../../support/customer-address.ts';
import { createCard, registerPerson, unfreezeCard } from '../../support/story.ts';
import type { Deployment } from './stage.ts';

const DEADLINE_MS = 60_000;

/** The type of events that one release sends and the other does not know. */
const NEW_TYPE = 'card.frozen';

/** Gives the type another name in everything that a process loads, so that it does not know the type. */
const FORGET = `import { registerHooks } from 'node:module';
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (loaded.source == null || loaded.source === '') return loaded;
    return { ...loaded, source: Buffer.from(loaded.source).toString().replaceAll('${NEW_TYPE}', 'card.forgotten') };
  },
});`;

const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(FORGET).toString('base64')}`;

/**
 * The order of releases: while events is one version behind card, what it does not know waits in the outbox and holds up nothing else; once its catalogue is ahead, all
 * of it arrives in order.
 */
export const eventCatalogues = async ({ cluster, api, report }: Deployment): Promise<string[]> => {
  const roll = async (option: string): Promise<void> => {
    await cluster.kubectl(['set', 'env', 'deployment/events', option, `--namespace=${NAMESPACE}`]);
    await rolledOut(cluster, 'deployment/events');
  };
  const person = await registerPerson(fromOwnAddress(api));
  const { cards, events } = api.as(person.token);
  const typesOf = async (cardId: string): Promise<string[]> =>
    (await events.listUserEvents({ limit: 100 })).data
      .filter(({ data }) => (data as { cardId?: string }).cardId === cardId)
      .map(({ type }) => type);
  const arrived = (cardId: string, type: string): Promise<string[]> =>
    waitFor(
      `${type} of a card`,
      async () => {
        const types = await typesOf(cardId);
        return types.includes(type) ? types : undefined;
      },
      DEADLINE_MS,
    );

  await roll(`NODE_OPTIONS=${NODE_OPTIONS}`);
  const first = await createCard(api, person.token);
  await cards.freezeCard({ cardId: first });
  await unfreezeCard(api, person, first);
  const other = await createCard(api, person.token);
  await arrived(other, 'card.issued');
  const early = await typesOf(first);
  await roll('NODE_OPTIONS-');
  const all = await arrived(first, 'card.unfrozen');
  report(`${all.length - early.length} events waited for a release of events that knows ${NEW_TYPE}`);
  const problems = early.some((type) => type !== 'card.issued') ? [`events that does not know ${NEW_TYPE} told ${early.join(', ')}`] : [];
  const inOrder = [NEW_TYPE, 'card.unfrozen'];
  const told = all.filter((type) => inOrder.includes(type));
  return told.join() === inOrder.join() ? problems : [...problems, `of a card that was frozen and unfrozen, events told ${all.join(', ')}`];
};
