import { pathToFileURL } from 'node:url';
import { readConfig } from './config/config.ts';
import { closeServer, listen } from './http/listen.ts';
import { createLifecycle } from './platform/lifecycle.ts';
import { createLog } from './platform/log.ts';
import { type RunningServer, runAsProcess, type ServerOptions } from './process.ts';
import { listenToProcesses } from './processes/channel.ts';
import { openServices } from './services.ts';

/** Environment → services → listen → start. Throws a StartError with one clear line. */
export async function main(options: ServerOptions): Promise<RunningServer> {
  const config = readConfig(options.env);
  const log = createLog(config.logLevel);
  const lifecycle = createLifecycle(log);
  try {
    const opened = await openServices({ config, options, lifecycle, log });
    const { server, channel, gateway, sources, index, marketFacts, lease } = opened;
    const url = server ? await listen(server, config.host, config.port) : null;
    const internalUrl = channel ? await listenToProcesses(channel, config.channel) : null;
    const servers = [server, channel].filter((one) => one !== null);
    lifecycle.add({
      name: 'server',
      stage: 'doors',
      stop: () => Promise.all([gateway?.close(), ...servers.map(closeServer)]),
    });
    await lifecycle.start();
    if (internalUrl !== null && marketFacts !== null) await lease.publish(internalUrl, marketFacts);
    if (index !== null) options.announce(`market: ${sources.map(({ name }) => name).join(', ') || 'off'}`);
    const ended = new Promise<string>((resolve) => {
      // A supervisor starts the process again, which then stands by.
      lease.onLost(() => void lifecycle.stop().then(() => resolve('Another process works on this database now.')));
    });
    const reloadLists = index?.load ?? (async () => {});
    return { url: url ?? internalUrl ?? '', isPublic: url !== null, ended, reloadLists, stop: lifecycle.stop };
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await runAsProcess(main);
