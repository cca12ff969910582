import { pathToFileURL } from 'node:url';
import { readConfig } from './config/config.ts';
import { closeServer, listen } from './http/listen.ts';
import { createLifecycle } from './platform/lifecycle.ts';
import { createLog } from './platform/log.ts';
import { type RunningServer, runAsProcess, type ServerOptions } from './process.ts';
import { openServices } from './services.ts';

/** Environment → services → listen → start. Throws a StartError with one clear line. */
export async function main(options: ServerOptions): Promise<RunningServer> {
  const config = readConfig(options.env);
  const log = createLog(config.logLevel);
  const lifecycle = createLifecycle(log);
  try {
    const { server, gateway, sources, index } = await openServices({ config, options, lifecycle, log });
    const url = await listen(server, config.host, config.port);
    lifecycle.add({
      name: 'server',
      stage: 'doors',
      stop: () => Promise.all([gateway.close(), closeServer(server)]),
    });
    await lifecycle.start();
    options.announce(`market: ${sources.length > 0 ? sources.map(({ name }) => name).join(', ') : 'off'}`);
    return { url, reloadLists: index.load, stop: lifecycle.stop };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await runAsProcess(main);
