import { solText } from '../../../common/tokens/units.ts';
import type { Command } from './command.ts';

const NO_WALLET = 'No wallet is set. Set one in Settings → Wallet.';

export const wallet: Command = {
  command: 'wallet',
  description: 'Your wallet',
  access: 'linked',
  async run({ user }, { wallets }) {
    const current = await wallets.current(user._id.toHexString());
    if (!current) return NO_WALLET;
    const key = current.hasKey ? 'Its private key is stored encrypted.' : 'Its private key is not stored here.';
    return `Your wallet:\n${current.walletAddress}\n${key}`;
  },
};

export const balance: Command = {
  command: 'balance',
  description: 'SOL in your wallet',
  access: 'linked',
  async run({ user }, { wallets, balance: balanceOf }) {
    const current = await wallets.current(user._id.toHexString());
    if (!current) return NO_WALLET;
    return `${solText(await balanceOf(current.walletAddress))} SOL\n${current.walletAddress}`;
  },
};
