import { playStory } from '../../demo/play-story.ts';
import { auditJournal, auditLife } from '../../faults/audit.ts';
import { live } from '../../faults/life.ts';
import type { Stage } from './stage.ts';

/** `npm run demo` against the cluster, and the story of the fault runs with its audit. */
export const story: Stage = {
  name: 'story',
  run: async ({ cluster, url, api, report }) => {
    const lines: string[] = [];
    await playStory(url, (line) => lines.push(line));
    report(lines.at(-1)?.trim() ?? 'the demo printed nothing');
    const life = await live(api);
    if (life === undefined) return ['nobody could register'];
    const journal = await auditJournal(cluster.engines);
    report(journal.summary);
    return [...(await auditLife(api, life)), ...journal.problems];
  },
};
