import type { Guide } from './guides.ts';
import { escapeHtml, renderMarkdown } from './render-markdown.ts';

/** Readable on a phone, and light or dark as the reader's system is. */
export const GUIDES_STYLE = `:root { color-scheme: light dark; --line: light-dark(#d8dee4, #3d444d); --soft: light-dark(#f4f6f8, #1c2128); --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1rem 1rem 4rem; font: 1rem/1.6 system-ui, sans-serif; color: light-dark(#1f2328, #e6edf3); background: light-dark(#fff, #0d1117); overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); font-size: 0.9rem; }
nav.guides { margin-top: 3rem; padding: 0.75rem 0 0; border-top: 1px solid var(--line); border-bottom: 0; }
nav [aria-current] { font-weight: 600; color: inherit; text-decoration: none; }
a { color: var(--link); }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 1.5rem 0 0.75rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
p, ul, ol { margin: 0.6rem 0; }
code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: 0.1em 0.3em; }
pre { font-size: 0.925rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; overflow-x: auto; overflow-wrap: normal; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.95rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); }
small { font-weight: 400; opacity: 0.7; }
`;

/** Links to the other pages, relative, so that they work behind a path prefix. */
type Links = { home: string; index: string; guide: (name: string) => string };

const page = (title: string, body: string, { home, index }: Links, isIndex = false): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - User Service</title>
<link rel="icon" type="image/png" href="${home}/favicon-32x32.png">
<link rel="stylesheet" href="${home}/guides.css">
</head>
<body>
<nav><a href="${index}"${isIndex ? ' aria-current="page"' : ''}>Guides</a>
<a href="${home}/errors">Error codes</a>
<a href="${home}">Reference</a></nav>
${body}
</body>
</html>
`;

/** The links to all guides, after the text: before it they would fill the screen of a phone. */
const guidesNav = (guides: readonly Guide[], { guide }: Links, current: string): string => {
  const links = guides.map(({ name, title }) => {
    const here = name === current ? ' aria-current="page"' : '';
    return `<a href="${guide(name)}"${here}>${escapeHtml(title)}</a>`;
  });
  return `<nav class="guides">${links.join('\n')}</nav>`;
};

/** The page of a guide at /docs/guides/<name>. */
export const createGuidePage = (guide: Guide, guides: readonly Guide[]): string => {
  const links: Links = { home: '../../docs', index: '../guides', guide: (name) => name };
  return page(guide.title, `<main>\n${renderMarkdown(guide.markdown)}\n</main>\n${guidesNav(guides, links, guide.name)}`, links);
};

/** The index at /docs/guides. */
export const createGuidesIndex = (guides: readonly Guide[]): string => {
  const links: Links = { home: '../docs', index: 'guides', guide: (name) => `guides/${name}` };
  const rows = guides.map(({ name, title }) => `<li><a href="${links.guide(name)}">${escapeHtml(title)}</a></li>`);
  return page('Guides', `<main>\n<h1>Guides</h1>\n<ul>${rows.join('\n')}</ul>\n</main>`, links, true);
};
