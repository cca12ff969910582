import type { Command } from './command.ts';

export const NO_WALLET = 'No wallet is set. Set one in Settings → Wallet.';

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
