import path from 'node:path';

/** Imported late: it needs packages. */
const launcher = () => import('../local-chain/launcher.mjs');

/**
 * The local chain in the data directory, for wallets and transfers; not when SOLANA_RPC_URL names a cluster.
 * @param {{ dataDir: string, solanaRpcUrl: string | null, localChainPort: number }} config `dataDir` is absolute
 * @param {{ tell(detail: string): void, say(line: string): void, add(part: import('./shutdown.mjs').Part): void }} on
 * @param {() => Promise<Pick<typeof import('../local-chain/launcher.mjs'), 'startLocalChain'>>} [load]
 * @returns {Promise<{ rpcUrl: string, wsUrl: string } | undefined>}
 */
export async function startChain({ dataDir, solanaRpcUrl, localChainPort }, { tell, say, add }, load = launcher) {
  if (solanaRpcUrl !== null) {
    tell('the cluster of SOLANA_RPC_URL instead'); // which may hold a key, so it is not shown
    return undefined;
  }
  const { startLocalChain } = await load();
  try {
    const chain = await startLocalChain(path.join(dataDir, 'chain'), { log: say, port: localChainPort });
    add({ stop: () => chain.stop(), force: () => chain.kill() });
    const elsewhere = localChainPort !== 0 && chain.port !== localChainPort;
    tell(`at ${chain.rpcUrl}${elsewhere ? ` (port ${localChainPort} is taken)` : ''} (pid ${chain.pid()})`);
    return { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl };
  } catch (error) {
    if (error.code !== 'unsupported') throw error;
    // Everything but the wallet works without one, and the wallet page says so.
    tell(`none. ${error.message}`);
    return undefined;
  }
}
