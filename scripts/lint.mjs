#!/usr/bin/env node
/** `npm run lint`: Biome, oxlint with types, dead exports (knip), and our own gates. All of them run, even when the first ones find something. */
import { lint } from './steps/checks.mjs';
import { run } from './steps/command.mjs';
import { prepare } from './steps/prepare.mjs';

await prepare();
let failed = false;
for (const { name, program, args } of lint) {
  const { code } = await run(program, args, { shown: true });
  console.log(`${name}: ${code === 0 ? 'ok' : 'failed'}`);
  failed ||= code !== 0;
}
process.exit(failed ? 1 : 0);
