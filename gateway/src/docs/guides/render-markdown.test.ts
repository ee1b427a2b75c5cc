import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

describe('renderMarkdown', () => {
  it.each([
    ['# Title', '<h1 id="title">Title</h1>'],
    ['## From `a` to b', '<h2 id="from-a-to-b">From <code>a</code> to b</h2>'],
    ['one\ntwo', '<p>one two</p>'],
    ['**bold `x`** [link](a#b)', '<p><strong>bold <code>x</code></strong> <a href="a#b">link</a></p>'],
    ['[tokens](tokens.md)', '<p><a href="tokens">tokens</a></p>'],
    ['- a\n  b\n- c', '<ul><li>a b</li><li>c</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    [
      '| a | b |\n| --- | --- |\n| `x` | |',
      '<div class="table"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x</code></td><td></td></tr></tbody></table></div>',
    ],
    ['```js\nif (a < b) {}\n\n# no heading\n```', '<pre><code class="language-js">if (a &lt; b) {}\n\n# no heading\n</code></pre>'],
    ['<script>alert(1)</script> `<b>`', '<p>&lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code></p>'],
    ['`GET /a/{b_id}/c` `A_B`', '<p><code>GET /a<wbr>/{b_<wbr>id}<wbr>/c</code> <code>A_<wbr>B</code></p>'],
  ])('renders %j', (markdown, html) => {
    expect(renderMarkdown(markdown)).toBe(html);
  });
});
