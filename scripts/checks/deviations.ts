import type { Problem, SourceFile } from './source-files.ts';

const PAGE = 'api/docs/deviations.md';
const ITEM = /^- \*\*(S\d+(?:\.\d+)?-\d+|T-\d+)\*\* (.*)$/gm;
const ITEM_ID = /\b(?:S\d+(?:\.\d+)?|T)-\d+\b/g;
/** A decision in an item, such as `(D14)` or `(D18, D26)`. */
const DECISIONS = /\((D\d+(?:, D\d+)*)[):]/g;
/** A row of the page's tables that begins with the number of a decision. */
const ROW = /^\| (\d+)(?: ◦)? \|/gm;
/** A text in single quotes; an apostrophe within a word belongs to it. */
const QUOTED = /(?<!\w)'((?:[^']|'(?=\w))+?)'(?!\w)/g;
/** Parts of a text that the product fills in. */
const FILLED_IN = /\{[^}]*\}|\.{3}|\(first 8 of address\.{3}\)/;

/** Texts that the product composes, with the parts of the source that they are made from. */
const composed: Readonly<Record<string, readonly string[]>> = {
  'Username must be at least 3 characters': ['`Username must be at least $', 'USERNAME_MIN = 3;'],
  'Password must be at least 6 characters': ['`Password must be at least $', 'PASSWORD_MIN = 6;'],
  'Strategy activated': ['title: `Strategy $', "'activated' : 'deactivated'"],
  'Strategy deactivated': ['title: `Strategy $', "'activated' : 'deactivated'"],
  'Strategy has been activated successfully': ['`Strategy has been $'],
  'Strategy has been deactivated successfully': ['`Strategy has been $'],
  'Failed to create template': ['`Failed to $', "? 'create' : 'update'} template`"],
  'Failed to update template': ['`Failed to $', "? 'create' : 'update'} template`"],
};

/** Returns the quoted texts of each item, without what the product fills in. */
export function quotedTexts(specification: string): { id: string; text: string }[] {
  return [...specification.matchAll(ITEM)].flatMap(([, id = '', line = '']) =>
    [...line.matchAll(QUOTED)]
      .flatMap(([, quoted = '']) => quoted.split(FILLED_IN))
      .map((text) => ({ id, text: plain(text) }))
      .filter(({ text }) => text !== ''),
  );
}

/**
 * Compares the page of deviations with the specification: ids that don't exist, decisions without a row, rows without a
 * decision, and items whose texts the product does not have although the page does not name them. `product`: source files
 * without tests.
 */
export function deviationProblems(specification: string, page: string, product: readonly SourceFile[]): Problem[] {
  const ids = new Set([...specification.matchAll(ITEM)].map(([, id]) => id));
  const named = new Set(page.match(ITEM_ID));
  const cited = new Set(
    [...specification.matchAll(DECISIONS)].flatMap(([, list = '']) => list.split(', ').map((one) => one.slice(1))),
  );
  const rows = new Set([...page.matchAll(ROW)].map(([, number]) => number));
  const source = plain(product.map(({ text }) => text).join('\n'));
  const has = (text: string) => (composed[text] ?? [text]).every((part) => source.includes(plain(part)));
  return [
    ...[...named].filter((id) => !ids.has(id)).map((id) => problem(`names ${id}, which is no item`)),
    ...[...cited].filter((one) => !rows.has(one)).map((one) => problem(`has no row for decision ${one}`)),
    ...quotedTexts(specification)
      .filter(({ id, text }) => !named.has(id) && !has(text))
      .map(({ id, text }) => problem(`does not name ${id}, whose text the product does not have: ${text}`)),
  ];
}

function problem(text: string): Problem {
  return { place: PAGE, text };
}

/** Returns the text as it reads: without escapes and line breaks of the source. */
function plain(text: string): string {
  return text
    .replaceAll(/\\(['"])/g, '$1')
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
