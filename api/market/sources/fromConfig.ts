import { randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type Config, type MarketSource, StartError } from '../../config.ts';
import { createReplay } from './replay/replay.ts';
import { createSimulator } from './simulator/simulator.ts';
import { createSolana } from './solana/solana.ts';
import type { Clock, Source } from './source.ts';

/** Solana's public mainnet node: free and limited; SOLANA_RPC_URL names a better one. */
const PUBLIC_RPC = 'https://api.mainnet-beta.solana.com';

/** The sources that `MARKET` names, not yet started. */
export function sourcesFromConfig(config: Config, clock: Clock): Promise<Source[]> {
  return Promise.all(config.market.map((wanted) => createSource(wanted, config, clock)));
}

async function createSource(wanted: MarketSource, config: Config, clock: Clock): Promise<Source> {
  switch (wanted.kind) {
    case 'simulator':
      return createSimulator({
        rate: config.marketRate,
        seed: config.marketSeed ?? randomInt(2 ** 32),
        clock,
        solUsd: config.solUsd,
      });
    case 'solana':
      return createSolana({
        rpcUrl: config.solanaRpcUrl ?? PUBLIC_RPC,
        wsUrl: config.solanaWsUrl ?? undefined,
        clock,
      });
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
        // Facts about recorded coins are asked of a node only when one was named: a replay works without a network.
        rpcUrl: config.solanaRpcUrl ?? undefined,
      });
  }
}
