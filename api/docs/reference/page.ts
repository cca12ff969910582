import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { exampleOf } from './example.ts';
import type { DocumentedEvent, OpenApi, Operation, Parameter } from './open-api.ts';
import { escapeHtml, inlineHtml, schemaHtml } from './schema-html.ts';

/** Styles of the API reference, with the colours of the product's two themes (web/styles/app.css). */
const STYLE = `
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

const accessTexts: Record<Operation['x-access'], string> = {
  public: 'anyone',
  user: 'signed in',
  admin: 'administrators',
  'admin-or-key': 'administrators or admin key',
};

const keyTexts: Record<Operation['x-api-keys'], string> = {
  any: ' · any API key',
  trade: ' · API keys that trade',
  none: '',
};

/** Returns the reference as one HTML page without scripts of its own. `/theme.js` of the client applies the chosen theme. */
export function referencePage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const subjects = [...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted();
  const contents = ['keys for programs', ...subjects, 'live events', 'schemas']
    .map((subject) => `<li><a href="#${anchorOf(subject)}">${titleOf(subject)}</a></li>`)
    .join('');
  const sections = subjects.map((subject) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(subject));
    const calls = own.map(({ path, method, operation }) => operationHtml(api, path, method, operation)).join('\n');
    return section(subject, calls);
  });
  const events = api['x-live-events'].map(eventHtml).join('\n');
  const schemas = Object.entries(api.components.schemas)
    .map(([name, schema]) => entry(`schema-${name}`, `<code>${escapeHtml(name)}</code>`, schemaHtml(schema)))
    .join('\n');
  return `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Mintwatch</title>
<link rel="icon" href="/favicon.svg">
<script src="/theme.js"></script>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<nav aria-label="Contents"><ul>${contents}</ul></nav>
<main>
<h1>API reference</h1>
<p>${escapeHtml(INTRODUCTION)} The same as <a href="/api/docs/openapi.json">OpenAPI document</a>, version ${escapeHtml(api.info.version)}.</p>
${section('keys for programs', keysHtml())}
${sections.join('\n')}
${section('live events', `<p>${escapeHtml(LIVE)}</p>\n${events}`)}
${section('schemas', schemas)}
</main>
</div>
</body>
</html>
`;
}

const INTRODUCTION =
  'Every REST call, made from the contracts that server and client share. Bodies are JSON. A failed call returns its error text, a code and, for invalid input, the fields.';
const LIVE = `Events of the Socket.IO connection, which needs the session cookie of a login and auth.protocol ${PROTOCOL_VERSION}. After a gap, epoch and seq of the last numbered event in the same place resume the feed. A client receives the events of the rooms that it has joined by subscribe; numbered events form the feed. A refused connection gets connect_error with data.code.`;

const KEYS =
  'A program calls with a key that its user makes under Settings › Security. A key reads; one that trades also places and cancels orders, sets exits and stops, within limits of its own beside those of the account. No key has the rights of an administrator, reveals a private key, transfers, changes limits or resumes. A new password ends all keys, a stop those that trade. Each call below names the keys that may make it. Repeating an order with the same clientId places it once.';

/** The same program twice: the newest tokens, then a purchase of one for 0.01 SOL of play money. */
const CURL = `KEY=mw_…  URL=http://127.0.0.1:3000
curl -s -H "Authorization: Bearer $KEY" "$URL/api/tokens?limit=3"
curl -s -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "$URL/api/trading/orders" -d '{
  "clientId": "'$(cat /proc/sys/kernel/random/uuid)'",
  "mode": "paper", "from": "page", "accept": ["unknown-risk"],
  "side": "buy", "address": "…", "lamports": 10000000
}'`;
const TYPESCRIPT = `const call = async (path: string, body?: object) => {
  const headers = { authorization: \`Bearer \${process.env.KEY}\`, 'content-type': 'application/json' };
  const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const reply = await fetch(process.env.URL + path, options);
  if (!reply.ok) throw new Error((await reply.json()).error);
  return reply.json();
};
const [newest] = await call('/api/tokens?limit=1');
const order = { mode: 'paper', from: 'page', accept: ['unknown-risk'], side: 'buy', lamports: 10_000_000 };
console.log(await call('/api/trading/orders', { ...order, clientId: crypto.randomUUID(), address: newest.address }));`;

function keysHtml(): string {
  const example = (title: string, code: string) => `<h3>${title}</h3><pre><code>${escapeHtml(code)}</code></pre>`;
  return `<p>${escapeHtml(KEYS)}</p>${example('curl', CURL)}${example('TypeScript', TYPESCRIPT)}`;
}

function anchorOf(subject: string): string {
  return subject.replaceAll(' ', '-');
}

function titleOf(subject: string): string {
  return escapeHtml(subject.charAt(0).toUpperCase() + subject.slice(1));
}

function section(subject: string, content: string): string {
  return `<section><h2 id="${anchorOf(subject)}">${titleOf(subject)}</h2>\n${content}</section>`;
}

function entry(id: string, summary: string, content: string): string {
  return `<details id="${escapeHtml(id)}"><summary>${summary}</summary><div class="inside">${content}</div></details>`;
}

function operationHtml(api: OpenApi, path: string, method: string, operation: Operation): string {
  const { summary, parameters, requestBody, responses } = operation;
  const access = accessTexts[operation['x-access']] + keyTexts[operation['x-api-keys']];
  const head = `<span class="method">${method}</span> <code>${escapeHtml(path)}</code> <span class="access">${access}</span><span class="about">${inlineHtml(summary)}</span>`;
  const body = requestBody?.content['application/json'].schema;
  const example = body === undefined ? null : JSON.stringify(exampleOf(body, api.components.schemas), null, 2);
  return entry(
    operation.operationId,
    head,
    [
      parameters.length === 0 ? '' : `<h3>Parameters</h3>${parametersHtml(parameters)}`,
      body === undefined ? '' : `<h3>Body</h3>${schemaHtml(body)}`,
      example === null || example === '{}' ? '' : `<pre><code>${escapeHtml(example)}</code></pre>`,
      `<h3>Responses</h3>${responsesHtml(responses)}`,
    ].join(''),
  );
}

function parametersHtml(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, schema }) => {
    const optional = required ? '' : ' <i>optional</i>';
    return `<li><code>${escapeHtml(name)}</code> <i>${place}</i>${optional} ${schemaHtml(schema)}</li>`;
  });
  return `<ul class="fields">${rows.join('')}</ul>`;
}

function responsesHtml(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => {
    const isError = description.includes(': ');
    const lines = description.split('\n').map((line) => line.replace(/^([a-z-]+): /, '`$1` '));
    const type = content === undefined || isError ? '' : ` ${schemaHtml(content['application/json'].schema)}`;
    return `<li><b>${status}</b> ${lines.map(inlineHtml).join('<br>')}${type}</li>`;
  });
  return `<ul class="fields">${rows.join('')}</ul>`;
}

function eventHtml({ name, from, rooms, numbered, summary, payload }: DocumentedEvent): string {
  const marks = [`from the ${from}`, ...(numbered ? ['numbered'] : []), ...rooms.map((room) => `room ${room}`)];
  const head = `<code>${escapeHtml(name)}</code> <span class="access">${escapeHtml(marks.join(' · '))}</span><span class="about">${inlineHtml(summary)}</span>`;
  return entry(`event-${name}`, head, schemaHtml(payload));
}
