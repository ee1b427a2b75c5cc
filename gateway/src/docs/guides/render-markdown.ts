/**
 * Renders the Markdown of the guides: headings, paragraphs, lists, tables, fenced code; inline code, bold text and links. The guides are
 * part of the gateway, so nothing else of Markdown is supported, and HTML in them is shown as text.
 */

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Escapes a path or a code of an error, and lets a narrow page break it between its parts. */
export const breakable = (text: string): string => escapeHtml(text).replace(/(?<=[\w}])(?=\/)|(?<=\w_)(?=\w)/g, '<wbr>');

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const inlineText = (text: string): string =>
  escapeHtml(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    // Pages have the names of their files without the ending.
    .replace(/\[([^\]]+)\]\(([^)\s]+?)(?:\.md)?\)/g, '<a href="$2">$1</a>');

/** Bold text may contain code, so the pieces of code are set aside first. */
const inline = (text: string): string => {
  const codes: string[] = [];
  const marked = text.replace(/`([^`]+)`/g, (_match, code: string) => `\0${codes.push(code) - 1}\0`);
  return inlineText(marked).replace(/\0(\d+)\0/g, (_match, index: string) => `<code>${breakable(codes[Number(index)] ?? '')}</code>`);
};

const cells = (row: string): string[] =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const table = ([head = '', , ...rows]: readonly string[]): string => {
  const line = (row: string, tag: string) =>
    `<tr>${cells(row)
      .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
      .join('')}</tr>`;
  return `<div class="table"><table><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table></div>`;
};

const list = (lines: readonly string[], marker: RegExp, tag: string): string => {
  const items: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`;
};

const BULLET = /^- /;
const NUMBER = /^\d+\. /;

const block = (lines: readonly string[]): string => {
  const [first = ''] = lines;
  const [, marks, title] = /^(#{1,3}) (.+)$/.exec(first) ?? [];
  if (marks !== undefined && title !== undefined) return `<h${marks.length} id="${slug(title)}">${inline(title)}</h${marks.length}>`;
  if (first.startsWith('|')) return table(lines);
  if (BULLET.test(first)) return list(lines, BULLET, 'ul');
  if (NUMBER.test(first)) return list(lines, NUMBER, 'ol');
  return `<p>${inline(lines.join(' '))}</p>`;
};

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

const blocks = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => block(part.split('\n')));

/** Converts a guide to HTML. */
export const renderMarkdown = (markdown: string): string => {
  const parts: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(FENCE)) {
    parts.push(
      ...blocks(markdown.slice(at, match.index)),
      `<pre><code${match[1] ? ` class="language-${match[1]}"` : ''}>${escapeHtml(match[2] ?? '')}</code></pre>`,
    );
    at = match.index + match[0].length;
  }
  return [...parts, ...blocks(markdown.slice(at))].join('\n');
};
