import path from 'node:path';
import { lineOf, type Problem, type SourceFile } from './source-files.ts';

/** The target of a Markdown link or image, `[text](target)` and `![text](target "title")`. */
const LINK = /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g;
/** Code shows what a link could be, and is none. Blanked, so that offsets stay. */
const CODE = /^(`{3,})[^\n]*\n[\s\S]*?^\1|`[^`\n]+`/gm;
/** `https:`, `mailto:`, … or a place on the same page. */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|#)/i;

/**
 * Links and images of Markdown files that lead to nothing in the project.
 * @param exists whether a path, relative to the project's folder, is there
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
