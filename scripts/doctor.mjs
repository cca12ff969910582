#!/usr/bin/env node
/** `npm run doctor`: checks what a start needs, one line each with the way out. Exit code 1 when something keeps it from starting. */
import { ensureBuilt, targets } from './steps/build.mjs';
import { built } from './steps/command.mjs';
import { prepare } from './steps/prepare.mjs';
import { printable } from './steps/start-error.mjs';

await prepare([['Server', (report) => ensureBuilt(targets.server, report)]]);
try {
  /** @type {typeof import('../api/config/config.ts')} */
  const { readConfig } = await built('api/config/config.js');
  /** @type {typeof import('./embedded-mongo/engine.ts')} */
  const { engineFor, glibcVersion } = await built('scripts/embedded-mongo/engine.js');
  /** @type {typeof import('../api/doctor/doctor.ts')} */
  const { examine } = await built('api/doctor/doctor.js');
  const { platform, arch } = process;
  const glibc = platform === 'linux' ? glibcVersion() : undefined;
  const requireEmbeddedMongo = () => void engineFor({ platform, arch, glibc });
  const isFine = await examine(readConfig(process.env), { requireEmbeddedMongo, glibc }, (line) => console.log(line));
  process.exitCode = isFine ? 0 : 1;
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
}
