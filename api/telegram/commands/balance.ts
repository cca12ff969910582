import { solText } from '../../../common/tokens/units.ts';
import type { Command } from './command.ts';
import { NO_WALLET } from './wallet.ts';

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
