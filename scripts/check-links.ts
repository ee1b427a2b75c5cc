import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import GithubSlugger from 'github-slugger';
import { run } from './run.ts';

/**
 * Checks, offline, that every relative link in the project's Markdown refers to an existing file, and every anchor to a heading. Links to other
 * hosts are not followed. Claims of docs/compliance link their evidence.
 */
const FENCE = /^(```|~~~)[\s\S]*?^\1/gm;
const CODE = /`[^`\n]*`/g;
const HEADING = /^#{1,6} +(.+?) *#* *$/gm;
const LINK = /\[[^\]]*\]\(([^)\s]+)(?: "[^"]*")?\)/g;
const EXTERNAL = /^[a-z][a-z+.-]*:/i;

/** Returns the anchors of a page's headings as GitHub generates them. */
const anchorsOf = (markdown: string): Set<string> => {
  const slugger = new GithubSlugger();
  const headings = markdown.replace(FENCE, '').matchAll(HEADING);
  return new Set(
    [...headings].map(([, heading = '']) => slugger.slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, ''))),
  );
};

/** Rows of docs/compliance: requirement, claim, evidence, what is left. */
const ROW = /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm;

/** Evidence that fails when a claim is no longer so: a test, or a program of the check. */
const EVIDENCE = /\]\([^)\s]+\.test\.ts\)|\]\((?:\.\.\/)+scripts\/[^)\s]+\.ts\)/;

/** Returns the rows that claim something without a link to what shows it. */
const unprovenClaims = (page: string, text: string): string[] =>
  [...text.matchAll(ROW)].flatMap(([, requirement = '', claim = '', evidence = '']) =>
    requirement === 'requirement' || requirement === 'article' || /^(—|-+)$/.test(claim) || EVIDENCE.test(evidence)
      ? []
      : [`${page}: no test or check is linked for ${requirement}`],
  );

/** Returns a description of each broken link of a page. */
const problemsOf = async (page: string): Promise<string[]> => {
  const text = (await readFile(page, 'utf8')).replace(FENCE, '').replace(CODE, '');
  const problems = page.startsWith('docs/compliance/') ? unprovenClaims(page, text) : [];
  for (const [, target = ''] of text.matchAll(LINK)) {
    if (EXTERNAL.test(target)) continue;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(file)) problems.push(`${page}: the file of the link ${target} does not exist`);
    else if (anchor !== undefined && file.endsWith('.md') && !anchorsOf(await readFile(file, 'utf8')).has(anchor))
      problems.push(`${page}: the heading of the link ${target} does not exist`);
  }
  return problems;
};

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']);
const pages = output.split('\n').filter((path) => path !== '' && existsSync(path));
if (pages.length === 0) throw new Error('no Markdown was found');
const problems = (await Promise.all(pages.map(problemsOf))).flat();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
