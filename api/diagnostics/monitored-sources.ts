import type { Source } from '../market/sources/source.ts';
import type { Losses, MonitoredSource } from './sighted-token.ts';

/** Returns the market's sources as coverage sees them. `lossesOf` returns what the market itself counted for a source. */
export function monitoredSources(
  sources: readonly Source[],
  lossesOf: (source: string) => Pick<Losses, 'tradesMissed' | 'refused'>,
): MonitoredSource[] {
  return sources.map((source) => {
    const detection = source.detection?.() ?? null;
    return {
      name: source.name,
      kind: kindOf(source),
      // Data services cover mainnet only.
      cluster: detection?.cluster ?? 'mainnet',
      live: source.status().state === 'live',
      losses: {
        slotsMissed: detection?.slotsMissed ?? null,
        transactionsLost: detection?.transactionsLost ?? null,
        decodeErrors: detection?.decodeErrors ?? source.figures?.().malformed ?? 0,
        ...lossesOf(source.name),
      },
    };
  });
}

function kindOf({ name, poller }: Source): MonitoredSource['kind'] {
  if (name === 'simulator' || name.startsWith('replay:')) return 'synthetic';
  return poller === undefined ? 'stream' : 'poll';
}
