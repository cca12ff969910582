import { PublicKey } from '@solana/web3.js';
import { PublicError } from '../../../common/errors.ts';
import { ruleSentence } from '../../../common/rules/conditions.ts';
import { type AlertSettings, alertsPerHour } from '../../../common/settings/model.ts';
import type { Random } from '../../../common/time.ts';
import { solText } from '../../../common/tokens/units.ts';
import type { ChainEndpoint } from '../../chain/endpoint.ts';
import { createRpc } from '../../chain/rpc.ts';
import { FROM_TELEGRAM } from '../links.ts';
import type { Command, CommandContext, CommandInput } from './command.ts';
import { lines, linkInstructions } from './text.ts';

const WELCOME = 'Welcome to Mintwatch. It watches new Solana tokens and scores their risk. /help lists the commands.';

export const start: Command = {
  command: 'start',
  description: 'Start the bot, or link your account',
  access: 'everyone',
  run(input, context) {
    if (input.args !== '') return link(input, context);
    if (input.user) return `${WELCOME}\n\n${linkedTo(input.user.username)}`;
    return `${WELCOME}\n\n${linkInstructions(context.publicUrl)}`;
  },
};

export const unlink: Command = {
  command: 'unlink',
  description: 'Unlink this chat from your account',
  access: 'linked',
  async run({ user }, { links }) {
    await links.unlink(user._id.toHexString(), { user, address: FROM_TELEGRAM });
    return `This chat is no longer linked to ${user.username}. You get no more alerts here.`;
  },
};

async function link({ args, chat, user }: CommandInput, { links }: CommandContext): Promise<string> {
  const result = await links.redeem(args, chat);
  if ('linked' in result) return `This chat is now linked to ${result.linked.username}. /unlink undoes it.`;
  switch (result.refused) {
    case 'unknown-code': {
      const unknown = 'This link code is not known, or has expired. Get a new one in Settings → Telegram.';
      // An earlier message may have used the code, and its reply may have been lost.
      return user ? `${unknown}\n\n${linkedTo(user.username)}` : unknown;
    }
    case 'other-account':
      return 'This chat is linked to another account. Send /unlink first, and then the code again.';
    case 'inactive':
      return 'This account is not active.';
  }
}

function linkedTo(username: string): string {
  return `This chat is linked to ${username}.`;
}

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

/** Rules in one message; the web page has all. */
const SHOWN = 10;

export const rules: Command = {
  command: 'rules',
  description: 'Your auto-buy rules',
  access: 'linked',
  async run({ user }, context) {
    const all = await context.rules.list(user, user._id.toHexString());
    if (all.length === 0) return 'You have no rules. Make one on the Rules page.';
    const blocks = all
      .slice(0, SHOWN)
      .map((rule) => `${rule.isActive ? 'On' : 'Off'}: ${rule.name}\n${ruleSentence(rule)}`);
    const rest = all.length > SHOWN ? [`And ${all.length - SHOWN} more.`] : [];
    return [...blocks, ...rest].join('\n\n');
  },
};

const USAGE =
  'Change them by /alerts new on, /alerts new off, /alerts price on, /alerts price off or /alerts limit 10, ' +
  `a number from ${alertsPerHour.min} to ${alertsPerHour.max}.`;

export const alerts: Command = {
  command: 'alerts',
  description: 'Show or change your alerts',
  access: 'linked',
  async run({ args, user }, { settings }) {
    const userId = user._id.toHexString();
    const present = (await settings.get(userId)).alerts;
    if (args === '') return `${alertsText(present)}\n${USAGE}`;
    const change = changeOf(args);
    if (!change) return USAGE;
    const by = { user, address: FROM_TELEGRAM };
    const changed = await settings.change(userId, { alerts: { ...present, ...change } }, by);
    return alertsText(changed.alerts);
  },
};

/** Parses 'new on', 'price off', 'on', 'limit 10' …; null for anything else. */
function changeOf(args: string): Partial<AlertSettings> | null {
  const [, digits] = /^limit\s+(\d{1,3})$/.exec(args.toLowerCase()) ?? [];
  if (digits !== undefined) return limitOf(Number(digits));
  const [, kind, state] = /^(?:(new|price)\s+)?(on|off)$/.exec(args.toLowerCase()) ?? [];
  if (state === undefined) return null;
  const isOn = state === 'on';
  switch (kind) {
    case 'new':
      return { newTokenAlerts: isOn };
    case 'price':
      return { priceChangeAlerts: isOn };
    default:
      return { newTokenAlerts: isOn, priceChangeAlerts: isOn };
  }
}

function limitOf(limit: number): Partial<AlertSettings> | null {
  return limit >= alertsPerHour.min && limit <= alertsPerHour.max ? { alertsPerHour: limit } : null;
}

function alertsText({ minLiquidity, maxRisk, ...alerts }: AlertSettings): string {
  return lines(
    `New tokens: ${onOff(alerts.newTokenAlerts)}`,
    `Price changes: ${onOff(alerts.priceChangeAlerts)}`,
    `Only with at least ${minLiquidity} SOL liquidity and a risk below ${maxRisk} of 100`,
    `At most ${alerts.alertsPerHour} an hour, besides those about tokens you watch`,
  );
}

function onOff(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

/** A person waits for the reply: one retry, then the node counts as unreachable. */
const LIMITS = { timeoutMs: 3_000, retries: 1, waiting: 50 };

/** Creates the balances of a chain; null: no chain, so every balance is unavailable. */
export function createBalances(chain: ChainEndpoint | null, random: Random) {
  const rpc = chain && createRpc({ url: chain.rpcUrl, random, limits: LIMITS });
  return {
    /** Resolves with the lamports of a wallet. Throws `chain-unavailable`. */
    async of(walletAddress: string): Promise<bigint> {
      if (!rpc) throw new PublicError('chain-unavailable');
      try {
        return BigInt(await rpc.request((connection) => connection.getBalance(new PublicKey(walletAddress))));
      } catch {
        // Without the details: the address of the node may contain a provider's key.
        throw new PublicError('chain-unavailable');
      }
    },
    stop: () => rpc?.stop(),
  };
}
