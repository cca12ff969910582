import { ensureBuilt, targets } from '../steps/build.mjs';

/** Builds the server for the processes that integration tests start. */
export default async function setup(): Promise<void> {
  await ensureBuilt(targets.server, () => undefined);
}
