/** Styles of the API reference, with the colours of the product's two themes (web/styles/app.css). */
export const STYLE = `
:root { color-scheme: dark; --bg: #0a0d0f; --surface: #101518; --line: #20282d; --text: #e7eef0; --muted: #93a1a8; --accent: #3ee6a8; }
:root[data-theme="light"] { color-scheme: light; --bg: #f5f7f6; --surface: #fff; --line: #dfe5e3; --text: #0e1416; --muted: #52606a; --accent: #067147; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--bg); color: var(--text); font: 14px/1.57 "Inter Variable", system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 11rem minmax(0, 60rem); gap: 2.5rem; justify-content: center; padding: 2rem 1.25rem 5rem; }
nav { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; font-size: 13px; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem 0; color: var(--muted); text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--text); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1 { margin: 0 0 .5rem; font-size: 20px; line-height: 28px; }
h2 { margin: 2rem 0 .5rem; font-size: 16px; }
h3 { margin: 1rem 0 .25rem; color: var(--muted); font-size: 12px; }
details { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
details + details { margin-top: .5rem; }
summary { padding: .6rem .9rem; cursor: pointer; overflow-wrap: anywhere; }
.inside { padding: 0 .9rem .9rem; overflow-wrap: anywhere; }
.about { display: block; color: var(--muted); font-size: 13px; }
.method { display: inline-block; min-width: 3.6rem; color: var(--accent); font-weight: 600; font-size: 12px; }
.access { padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 999px; color: var(--muted); font-size: 12px; }
.type, i { color: var(--muted); }
i { font-size: 12px; }
code, pre { font: 12.5px/1.5 "JetBrains Mono", ui-monospace, monospace; }
pre { margin: .75rem 0 0; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--bg); overflow-x: auto; }
.fields { margin: 0; padding-left: .9rem; list-style: none; }
.fields li { padding: .15rem 0; }
.fields .fields { margin-top: .15rem; border-left: 1px solid var(--line); }
@media (max-width: 48rem) {
  .page { display: block; padding: 1rem .75rem 3rem; }
  nav { position: static; max-height: none; margin-bottom: 1.5rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 .9rem; }
}
`;
