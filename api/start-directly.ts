import path from 'node:path';
import { z } from 'zod';
import type { LocalChainUrls } from './chain/chain-endpoint.ts';
import { StartError } from './config/config.ts';
import { productRoot } from './platform/product.ts';
import type { RunningServer, ServerOptions } from './running-server.ts';

/** Runs the server as the process's own job (in a container, or watched): until SIGINT or SIGTERM. */
export async function startDirectly(main: (options: ServerOptions) => Promise<RunningServer>): Promise<void> {
  const announce = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const mongoUri = process.env.MONGODB_URI?.trim();
    if (!mongoUri) throw new StartError('MONGODB_URI is not set. `npm start` brings a MongoDB of its own.');
    const webRoot = path.join(productRoot(), '.build/web');
    const chain = startedChain(process.env.LOCAL_CHAIN);
    const { url, stop } = await main({ env: process.env, mongoUri, webRoot, announce, chain });
    announce(`Mintwatch is at ${url}`);
    const end = () => void stop().then(() => process.exit(0));
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(1);
  }
}

const chainSchema = z.object({ rpcUrl: z.url(), wsUrl: z.url() });

/** `npm run dev` starts the chain itself, since it outlives every restart of the server, and says here where it is. */
function startedChain(text: string | undefined): LocalChainUrls | undefined {
  return text ? chainSchema.parse(JSON.parse(text)) : undefined;
}

/** A StartError is written for people; anything else needs its stack. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'StartError' ? error.message : (error.stack ?? error.message);
}
