import { z } from 'zod';

/** Clusters of wallets; `custom` is any RPC URL that belongs to none of the others. */
export const chainClusterSchema = z.enum(['local', 'devnet', 'testnet', 'mainnet', 'custom']);
export type ChainCluster = z.infer<typeof chainClusterSchema>;

/** The one cluster for wallets, transfers and trades (decision 8). */
const chainConfigSchema = z.strictObject({
  cluster: chainClusterSchema,
  /** JSON-RPC over HTTP, as the browser reaches it. */
  rpcUrl: z.string(),
  /** PubSub over WebSocket, likewise. */
  wsUrl: z.string(),
  /** Whether the node gives test SOL (`requestAirdrop`): on the local chain only. */
  faucet: z.boolean(),
});
export type ChainConfig = z.infer<typeof chainConfigSchema>;

/** Configuration of the client. */
export const clientConfigSchema = z.strictObject({
  /** Null when no cluster is configured; wallets can't be used then. */
  chain: chainConfigSchema.nullable(),
  /** The Telegram bot's username, without the @; null without a bot. */
  botUsername: z.string().nullable(),
});

/** Labels of the clusters. */
export const clusterNames: Record<ChainCluster, string> = {
  local: 'Local chain',
  devnet: 'Devnet',
  testnet: 'Testnet',
  mainnet: 'Mainnet',
  custom: 'Custom cluster',
};
