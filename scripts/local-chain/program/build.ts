/**
 * Rebuilds the program from its source: `node --import tsx scripts/local-chain/program/build.ts`. Needs Debian's `clang-14`, since
 * another version makes other bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { link } from './link.ts';

const SOURCE = path.join(import.meta.dirname, 'launchpad.c');
const RESULT = path.join(import.meta.dirname, 'launchpad-binary.ts');
const COMPILER = 'clang-14';
const OPTIONS = [
  ...['-target', 'bpf', '-mcpu=v2', '-Oz', '-fno-builtin', '-Wall', '-Werror', '-c'],
  // The constants begin at address 0.
  '-fno-delete-null-pointer-checks',
  // What it shares between branches costs more instructions than it saves.
  ...['-mllvm', '-enable-pre=false'],
];
const LINE_LENGTH = 110;

/** Returns whether the compiler is installed. */
export function hasCompiler(): boolean {
  try {
    execFileSync(COMPILER, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Returns the program that the source makes. Throws with the compiler's messages. */
export function buildProgram(): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'launchpad-'));
  try {
    const object = path.join(folder, 'launchpad.o');
    execFileSync(COMPILER, [...OPTIONS, SOURCE, '-o', object]);
    return link(readFileSync(object));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the source text that carries the program: TypeScript, so that every build contains it without a copy step. */
function moduleOf(program: Buffer): string {
  const text = deflateRawSync(program, { level: 9 }).toString('base64');
  const lines = text.match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? [];
  return `/** Written by build.ts from launchpad.c; never edited by hand. */

/** SHA-256 of the program, hex. */
export const LAUNCHPAD_SHA256 = '${createHash('sha256').update(program).digest('hex')}';

/** The program, deflated, base64. */
export const LAUNCHPAD_DEFLATED = [
${lines.map((line) => `  '${line}',\n`).join('')}].join('');
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const program = buildProgram();
  writeFileSync(RESULT, moduleOf(program));
  console.log(`${RESULT}: ${program.length} bytes`);
}
