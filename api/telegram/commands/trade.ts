import type { Command } from './command.ts';

export const buy: Command = {
  command: 'buy',
  description: 'Buying comes with a later version',
  access: 'everyone',
  run: () => 'Buying comes with a later version. It will need a wallet set in settings.',
};

export const sell: Command = {
  command: 'sell',
  description: 'Selling comes with a later version',
  access: 'everyone',
  run: () => 'Selling comes with a later version. It will need a wallet set in settings.',
};
