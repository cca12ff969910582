import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a script (a module) in a process that stays, and kills it (kill -9) once it has printed a number. Returns the number, such
 * as the pid of a service that it started.
 */
export async function killedApp(script: string): Promise<number> {
  const stays = `${script}\nsetInterval(() => {}, 1000);`;
  const app = spawn(process.execPath, ['--input-type=module', '-e', stays], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(app.stdout, 'data');
  app.kill('SIGKILL');
  await once(app, 'exit');
  return Number(String(line));
}
