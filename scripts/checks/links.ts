import path from 'node:path';
import { lineOf, type Problem, type SourceFile } from './source-files.ts';

/** The target of a Markdown link or image, `[text](target)` and `![text](target "title")`. */
const LINK = /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
/** Code spans and blocks hold no links. They are blanked, so that offsets stay. */
const CODE = /^(`{3,})[^\n]*\n[\s\S]*?^\1|`[^`\n]+`/gm;
/** Other schemes (`https:`, `mailto:`), or a place on the same page. */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|#)/i;

/**
 * Returns links and images of Markdown files whose target does not exist in the project.
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
        const there = path.posix.join(path.posix.dirname(file.path), decodeURI(target.replace(/[#?].*$/, '')));
        if (!there.startsWith('../') && exists(there)) return [];
        return [{ place: `${file.path}:${lineOf(file, match.index)}`, text: `links to ${target}, which is missing` }];
      });
    });
}
