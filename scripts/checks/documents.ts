import path from 'node:path';
import { lineOf, type Problem, type SourceFile } from './source-files.ts';

/** The target of a Markdown link or image, `[text](target)` and `![text](target "title")`. */
const LINK = /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
/** Code spans and blocks hold no links. They are blanked, so that offsets stay. */
const CODE = /^(`{3,})[^\n]*\n[\s\S]*?^\1|`[^`\n]+`/gm;
/** Other schemes (`https:`, `mailto:`). */
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i;
const HEADING = /^#{1,6} (.+)$/gm;

/** READMEs that show a flow on one screen, and their longest length in lines. */
const SHORT = {
  files: ['api/market', 'api/telegram', 'api/alerts', 'scripts/local-chain', 'web/live'].map((at) => `${at}/README.md`),
  maxLines: 60,
};
/** The first page of the project, read in two minutes. */
const FIRST = { file: 'README.md', maxLines: 90, maxBytes: 6_000 };
/** Tables of this page are read, not searched: words in one cell. */
const TABLES = { file: 'api/README.md', maxWords: 25 };

/** A list of files under a heading such as `### A token, from frame to socket (at most 10 files)`. */
const WAY = /^#{2,4} .*\(at most (\d+) files\)$/;
const WAYS_FILE = 'api/docs/architecture.md';
/** The ways that must be written down, by a word of their heading. */
const WAYS = ['frame to socket', 'socket to row', 'rule', 'order', 'alert'];
const LISTED_FILE = /^\d+\. `([^`]+)`/;

/** Returns a way for each heading: its limit, its files and its line. */
export function waysIn(text: string): { heading: string; limit: number; files: string[]; line: number }[] {
  const ways: { heading: string; limit: number; files: string[]; line: number }[] = [];
  let open = false;
  for (const [index, line] of text.split('\n').entries()) {
    const limit = WAY.exec(line)?.[1];
    if (limit !== undefined) ways.push({ heading: line, limit: Number(limit), files: [], line: index + 1 });
    if (line.startsWith('#')) open = limit !== undefined;
    const file = LISTED_FILE.exec(line)?.[1];
    if (open && file !== undefined) ways.at(-1)?.files.push(file);
  }
  return ways;
}

/** Returns ways through the code that are missing, too long, or name a file that does not exist. */
export function wayProblems(files: readonly SourceFile[], exists: (file: string) => boolean): Problem[] {
  const readme = files.find((file) => file.path === WAYS_FILE);
  const ways = waysIn(readme?.text ?? '');
  const missing = WAYS.filter(
    (name) => !ways.some(({ heading, files: listed }) => heading.includes(name) && listed.length > 0),
  );
  return [
    ...missing.map((name) => ({ place: WAYS_FILE, text: `lists no files of the way "${name}"` })),
    ...ways.flatMap(({ heading, limit, files: listed, line }) => {
      const place = `${WAYS_FILE}:${line}`;
      const absent = listed
        .filter((file) => !exists(file))
        .map((file) => ({ place, text: `lists ${file}, which is missing` }));
      if (listed.length <= limit) return absent;
      return [...absent, { place, text: `lists ${listed.length} files under "${heading}"` }];
    }),
  ];
}

/** Returns READMEs that are missing or too long for one screen. */
export function lengthProblems(files: readonly SourceFile[]): Problem[] {
  const bounds = [...SHORT.files.map((file) => ({ file, maxLines: SHORT.maxLines, maxBytes: Infinity })), FIRST];
  return bounds.flatMap(({ file: path, maxLines, maxBytes }) => {
    const file = files.find((one) => one.path === path);
    if (file === undefined) return [{ place: path, text: 'is missing' }];
    const lines = file.text.trimEnd().split('\n').length;
    const bytes = Buffer.byteLength(file.text);
    return [
      ...(lines > maxLines ? [{ place: path, text: `has ${lines} lines, ${maxLines} at most` }] : []),
      ...(bytes > maxBytes ? [{ place: path, text: `has ${bytes} bytes, ${maxBytes} at most` }] : []),
    ];
  });
}

/** Returns table cells with too many words. */
export function cellProblems(files: readonly SourceFile[]): Problem[] {
  const file = files.find((one) => one.path === TABLES.file);
  if (file === undefined) return [{ place: TABLES.file, text: 'is missing' }];
  return [...file.text.matchAll(/^\|.*\|$/gm)].flatMap((row) =>
    row[0].split('|').flatMap((cell) => {
      const words = cell.trim().split(/\s+/).length;
      if (words <= TABLES.maxWords) return [];
      return [
        {
          place: `${TABLES.file}:${lineOf(file, row.index)}`,
          text: `a cell has ${words} words, ${TABLES.maxWords} at most`,
        },
      ];
    }),
  );
}

/** Returns every problem of the READMEs. */
export function documentProblems(files: readonly SourceFile[], exists: (file: string) => boolean): Problem[] {
  return [...wayProblems(files, exists), ...lengthProblems(files), ...cellProblems(files)];
}

/** Returns the anchors of a page's headings, as GitHub makes them; of equal headings, the first one's. */
function anchorsOf(text: string): Set<string> {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
  return new Set([...text.matchAll(HEADING)].map((match) => slug(match[1] ?? '')));
}

/**
 * Returns links and images of Markdown files whose target, or heading in it, does not exist in the project.
 * @param exists returns whether a path relative to the project's folder exists
 */
export function linkProblems(files: readonly SourceFile[], exists: (file: string) => boolean): Problem[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) => {
      const text = file.text.replaceAll(CODE, (code) => ' '.repeat(code.length));
      return [...text.matchAll(LINK)].flatMap((match) => {
        const target = match[1] ?? '';
        if (ELSEWHERE.test(target)) return [];
        const [page = '', anchor] = target.split('#');
        const own = decodeURI(page.replace(/[?].*$/, ''));
        const there = own === '' ? file.path : path.posix.join(path.posix.dirname(file.path), own);
        const read = files.find((one) => one.path === there);
        const isThere = own === '' || (!there.startsWith('../') && exists(there));
        if (isThere && (anchor === undefined || read === undefined || anchorsOf(read.text).has(anchor))) return [];
        return [{ place: `${file.path}:${lineOf(file, match.index)}`, text: `links to ${target}, which is missing` }];
      });
    });
}
