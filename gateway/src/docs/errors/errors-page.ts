import { breakable, escapeHtml } from '../guides/render-markdown.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { Repeat } from './entry.ts';

const REPEAT: Readonly<Record<Repeat, string>> = { no: 'no', after_remedy: 'after the remedy', later: 'yes, later' };

/** Said of the codes that only services return. */
const NO_OPERATION = 'No operation of this interface returns it: it is a code of the platform’s RPCs.';

const section = ({ code, status, cause, remedy, repeat, operations }: CatalogueEntry): string => `<section id="${escapeHtml(code)}">
<h2><a href="#${escapeHtml(code)}">${breakable(code)}</a> <small>${status}</small></h2>
<p>${escapeHtml(cause)}</p>
<p><b>Remedy.</b> ${escapeHtml(remedy)}</p>
<p><b>May the same request be repeated?</b> ${REPEAT[repeat]}</p>
${operations.length === 0 ? `<p>${NO_OPERATION}</p>` : `<p><b>Operations:</b> ${operations.map(escapeHtml).join(', ')}</p>`}
</section>`;

/** The catalogue as a page. Links are relative, so that it works behind a path prefix. */
export const createErrorsPage = (catalogue: readonly CatalogueEntry[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors - User Service</title>
<link rel="icon" type="image/png" href="favicon-32x32.png">
<link rel="stylesheet" href="guides.css">
</head>
<body>
<nav><a href="guides">Guides</a>
<a href="errors" aria-current="page">Error codes</a>
<a href="../docs">Reference</a></nav>
<h1>Errors</h1>
<p>Every error response has one of two shapes: <code>{"success":false,"error":"CODE"}</code>, or for
<a href="#VALIDATION_FAILED">VALIDATION_FAILED</a> <code>{"kind":"validation","success":false,"error":{"name":"ValidationError","message":"…"}}</code>.
Programs decide by the code. Codes are added over time, and never renamed. The same list as JSON: <a href="../errors">/errors</a>.</p>
${catalogue.map(section).join('\n')}
</body>
</html>
`;
