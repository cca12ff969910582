import type { ServerTrading } from '../../../common/trading/account.ts';
import type { ChainEndpoint } from '../../chain/endpoint.ts';
import { type Config, StartError } from '../../config/config.ts';

type TradingSettings = Pick<Config, 'trading' | 'market' | 'solanaRpcUrl'>;

/**
 * Returns where orders go. Without TRADING: to the local chain that started with the server while the market is simulated, otherwise
 * nowhere (`paper`). Throws a StartError for a mode that chain and settings do not allow.
 */
export function serverTradingOf(config: TradingSettings, chain: ChainEndpoint | null): ServerTrading {
  const { trading, market, solanaRpcUrl } = config;
  if (trading === null) {
    const isOwnChain = chain !== null && solanaRpcUrl === null;
    return isOwnChain && market.some(({ kind }) => kind === 'simulator') ? 'local' : 'paper';
  }
  if (trading === 'local' && chain?.cluster !== 'local') {
    throw new StartError('TRADING: local needs the local chain; SOLANA_RPC_URL is the address of another one');
  }
  if (trading === 'live' && (solanaRpcUrl === null || chain === null || chain.cluster === 'local')) {
    throw new StartError('TRADING: live needs SOLANA_RPC_URL with a node of mainnet or devnet');
  }
  if (trading === 'live' && chain?.cluster === 'testnet') {
    throw new StartError('TRADING: live trades on mainnet or devnet; SOLANA_RPC_URL is a node of testnet');
  }
  return trading;
}
