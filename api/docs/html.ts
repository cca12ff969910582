import { type Heading, headingsOf, markdown } from './markdown.ts';

/** Styles with the colours of the product's two themes, chosen by the reader's system. */
const STYLE = `
:root { color-scheme: light dark; --bg: #f5f7f6; --surface: #fff; --line: #dfe5e3; --text: #0e1416; --muted: #52606a; --accent: #067147; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #0a0d0f; --surface: #101518; --line: #20282d; --text: #e7eef0; --muted: #93a1a8; --accent: #3ee6a8; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 46rem); gap: 3rem; justify-content: center; padding: 2rem 1.25rem 5rem; }
nav { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; font-size: .875rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem 0; color: var(--muted); text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--text); }
nav .deeper { padding-left: .9rem; }
.narrow { display: none; margin-bottom: 1.5rem; }
.narrow summary { cursor: pointer; padding: .35rem 0; font-weight: 600; }
main a { color: var(--accent); }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 3rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.375rem; letter-spacing: -.01em; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.0625rem; }
img { display: block; max-width: 100%; height: auto; margin: 1.25rem 0; border: 1px solid var(--line); border-radius: 8px; }
code { padding: .1em .35em; border: 1px solid var(--line); border-radius: 4px; background: var(--surface); font: .875em ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 600; }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: 3px solid var(--accent); background: var(--surface); }
@media (max-width: 60rem) { .page { display: block; } .wide-only { display: none; } .narrow { display: block; position: static; max-height: none; } }
@media print { nav { display: none; } .page { display: block; } }
`;

/** Returns the guide as one HTML page with a table of contents. Picture links are relative to its path. */
export function guideHtml(source: string): string {
  const tokens = markdown.parse(source, {});
  const headings = headingsOf(tokens);
  let next = 0;
  for (const token of tokens) {
    if (token.type !== 'heading_open') continue;
    token.attrSet('id', headings[next]?.anchor ?? '');
    next += 1;
  }
  for (const image of tokens.flatMap(({ children }) => children ?? [])) {
    if (image.type === 'image') image.attrSet('loading', 'lazy');
  }
  const body = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<table>', '<div class="wide"><table>')
    .replaceAll('</table>', '</table></div>')
    // Opens the picture in its full size in a new tab: it is small on a phone.
    .replaceAll(/<img src="([^"]+)"[^>]*>/g, '<a href="$1" target="_blank">$&</a>');
  const contents = `<ul>${headings
    .filter(({ level }) => level > 1)
    .map(contentsLine)
    .join('')}</ul>`;
  const narrow = `<nav class="narrow" aria-label="Contents"><details><summary>Contents</summary>${contents}</details></nav>`;
  const title = headings.find(({ level }) => level === 1)?.text ?? 'User guide';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${markdown.utils.escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg">
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<nav class="wide-only" aria-label="Contents">${contents}</nav>
<main>
${body.replace('</h1>', (end) => `${end}\n${narrow}`)}</main>
</div>
</body>
</html>
`;
}

function contentsLine({ level, text, anchor }: Heading): string {
  const deeper = level > 2 ? ' class="deeper"' : '';
  return `<li${deeper}><a href="#${anchor}">${markdown.utils.escapeHtml(text)}</a></li>`;
}
