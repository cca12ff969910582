import { z } from 'zod';

/** The clusters wallets can live on; `custom` is an address that names none of them. */
export const chainClusterSchema = z.enum(['local', 'devnet', 'testnet', 'mainnet', 'custom']);
export type ChainCluster = z.infer<typeof chainClusterSchema>;

/** The one cluster for wallets, transfers and trades (decision 8). */
export const chainConfigSchema = z.strictObject({
  cluster: chainClusterSchema,
  /** JSON-RPC over HTTP, as a browser reaches it. */
  rpcUrl: z.string(),
  /** PubSub over WebSocket, likewise. */
  wsUrl: z.string(),
  /** Whether the node gives test SOL for the asking (`requestAirdrop`): on the local chain only. */
  faucet: z.boolean(),
});
export type ChainConfig = z.infer<typeof chainConfigSchema>;

/** What the client must know of the set-up. */
export const clientConfigSchema = z.strictObject({
  /** Null where no cluster is configured: wallets can't be used then. */
  chain: chainConfigSchema.nullable(),
  /** The Telegram bot's username, without the @; null without a bot. */
  botUsername: z.string().nullable(),
});
export type ClientConfig = z.infer<typeof clientConfigSchema>;

/** How people call a cluster. */
export const clusterNames: Record<ChainCluster, string> = {
  local: 'Local chain',
  devnet: 'Devnet',
  testnet: 'Testnet',
  mainnet: 'Mainnet',
  custom: 'Custom cluster',
};
