import { randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Clock } from '../../../common/time.ts';
import { PUBLIC_MAINNET_RPC } from '../../chain/endpoint.ts';
import type { NetworkFacts } from '../../chain/network-facts.ts';
import { type Config, type MarketSource, StartError } from '../../config/config.ts';
import type { Keyring } from './keyring.ts';
import { createPolledSource } from './polled/polled-source.ts';
import type { ServiceSpec } from './polled/service-spec.ts';
import { createPumpPortal } from './pumpportal/pumpportal.ts';
import { createReplay } from './replay/replay.ts';
import { dexscreener } from './services/dexscreener.ts';
import { createJupiter } from './services/jupiter.ts';
import { rugcheck } from './services/rugcheck.ts';
import { createSolanaTracker } from './services/solana-tracker.ts';
import { solanafm } from './services/solanafm.ts';
import { solscan } from './services/solscan.ts';
import { createTokenList } from './services/token-list.ts';
import type { ListedCoins } from './simulator/listed/listed-coins.ts';
import { createSimulator } from './simulator/simulator.ts';
import { launchLab } from './solana/decode/launchlab.ts';
import { meteoraDbc } from './solana/decode/meteora-dbc.ts';
import { createLaunchpadSource } from './solana/launchpad-source.ts';
import { createSolana } from './solana/solana.ts';
import type { Source } from './source.ts';

/** Creates the sources of `MARKET`, not started yet. Throws StartError for an unreadable recording. */
export function sourcesFromConfig(config: Config, deps: SourceDeps): Promise<Source[]> {
  return Promise.all(config.market.map((wanted) => createSource(wanted, config, deps)));
}

interface SourceDeps {
  clock: Clock;
  keyring: Keyring;
  network: NetworkFacts;
  /** Simulated coins on the local chain; null without it. */
  listed: ListedCoins | null;
}

async function createSource(
  wanted: MarketSource,
  config: Config,
  { clock, keyring, network, listed }: SourceDeps,
): Promise<Source> {
  const polled = (spec: ServiceSpec) => createPolledFrom(spec, config, { clock, keyring });
  const { solanaRpcUrl, solanaWsUrl } = config;
  const node = { rpcUrl: solanaRpcUrl ?? PUBLIC_MAINNET_RPC, wsUrl: solanaWsUrl ?? undefined, clock, network };
  switch (wanted.kind) {
    case 'simulator':
      return createSimulator({
        rate: config.marketRate,
        seed: config.marketSeed ?? randomInt(2 ** 32),
        clock,
        solUsd: config.solUsd,
        listed,
      });
    case 'solana':
      return createSolana(node);
    case 'launchlab':
      return createLaunchpadSource(launchLab, node);
    case 'meteora-dbc':
      return createLaunchpadSource(meteoraDbc, node);
    case 'replay':
      try {
        await access(wanted.file, constants.R_OK);
      } catch (error) {
        throw new StartError(`MARKET names the recording ${wanted.file}, which can't be read.`, { cause: error });
      }
      return createReplay({
        file: wanted.file,
        speed: config.replaySpeed,
        times: config.replayTimes,
        clock,
        // Facts come from a node only when one is configured: a replay works offline.
        rpcUrl: solanaRpcUrl ?? undefined,
      });
    case 'pumpportal':
      return createPumpPortal({
        url: config.sources.urls.pumpportal,
        key: keyring.current('pumpportal'),
        // The chain's own logs contain the same trades, which would count twice.
        trades: !config.market.some(({ kind }) => kind === 'solana'),
        clock,
        random: Math.random,
      });
    case 'jupiter':
      return polled(createJupiter(config.sources.jupiterPlan));
    case 'solana-tracker':
      return polled(createSolanaTracker(config.sources.solanaTrackerPlan));
    case 'dexscreener':
      return polled(dexscreener);
    case 'solscan':
      return polled(solscan);
    case 'solanafm':
      return polled(solanafm);
    case 'token-list':
      return polled(createTokenList());
    case 'rugcheck':
      return polled(rugcheck);
  }
}

function createPolledFrom(
  spec: ServiceSpec,
  { sources }: Config,
  { clock, keyring }: Pick<SourceDeps, 'clock' | 'keyring'>,
): Source {
  const { name } = spec;
  const takesKey = name !== 'dexscreener' && name !== 'token-list';
  const source = createPolledSource(spec, {
    baseUrl: sources.urls[name],
    currentKey: () => (takesKey ? keyring.current(name) : null),
    clock,
    random: Math.random,
  });
  keyring.onChanged((changed) => {
    if (changed === name) source.keyChanged();
  });
  return source;
}
