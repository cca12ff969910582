import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { ServerTrading, TradingMode } from '../../../common/trading/account.ts';
import { createAdminActions } from '../../audit/admin-actions.ts';
import { openAudit } from '../../audit/service.ts';
import { createEventBus, type EventBus } from '../../events/bus.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { noLimits } from '../../testing/server.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { heldLease, noApiKeys } from '../../trading/testing/coin.ts';
import { testCoin } from '../../trading/testing/desk.ts';
import { createMemoryPositions } from '../../trading/testing/memory-positions.ts';
import { createScriptedChain, type ScriptedChain } from '../../trading/testing/scripted-chain.ts';
import { openTrading, type Trading } from '../../trading/trading.ts';
import { type BotTrading, createBotTrading } from '../trading/engine.ts';
import { fakePosition } from './fake-trading.ts';

/** The trading engine over a real database and a scripted chain, with the bot's way to it. */
export interface TestEngine {
  trading: Trading;
  bot: BotTrading;
  chain: ScriptedChain;
  bus: EventBus;
  /** The wallet of every user. */
  wallet: string;
}

/** Opens the engine for these tokens. Its worker ends with the test. */
export async function testEngine(
  connection: Connection,
  tokens: readonly TokenRecord[],
  server: ServerTrading = 'local',
): Promise<TestEngine> {
  const clock = { now: Date.now };
  const wallet = tokens[0]?._id ?? '';
  const log = pino({ level: 'silent' });
  const bus = createEventBus((error) => {
    throw error;
  });
  const audit = await openAudit(connection, clock);
  const adminActions = await createAdminActions({ connection, audit, limits: noLimits, clock });
  const chains = new Map<TradingMode, ScriptedChain>();
  const chainOf = (mode: TradingMode) => {
    const chain = chains.get(mode) ?? createScriptedChain(clock.now, mode);
    chains.set(mode, chain);
    return chain;
  };
  const positions = createMemoryPositions();
  const trading = await openTrading({
    ...{ connection, server, audit, adminActions, limits: noLimits, bus, clock, log },
    apiKeys: noApiKeys,
    lease: heldLease,
    network: { slotMs: () => null },
    executorOf: (mode) => chainOf(mode).executor,
    openPositions: async () => positions,
    wallets: { current: async () => ({ walletAddress: wallet, hasKey: true }) },
    watchlists: { of: async () => ({ black: new Set() }) },
    transactions: { recordTrades: async () => {} },
    market: { coin: async (address) => tradedCoinOf(tokens.find(({ _id }) => _id === address)), pin() {}, unpin() {} },
    ...{ isLocked: () => false, testAgain: async () => {}, isWatched: () => false, random: () => 0.5 },
  });
  for (const part of trading.parts) await part.start?.();
  onTestFinished(async () => {
    for (const part of trading.parts) await part.stop();
  });
  const bot = createBotTrading({
    trading,
    openPositions: async (userId, mode) =>
      (await positions.sellable(userId))
        .filter((position) => position.mode === mode)
        .map(({ id, token, tokens: held }) => ({ ...fakePosition(token), id, mode, tokens: String(held) })),
  });
  return { trading, bot, chain: chainOf(server === 'off' ? 'paper' : server), bus, wallet };
}

function tradedCoinOf(token: TokenRecord | undefined): TradedCoin | null {
  return token ? { ...testCoin(token._id), name: token.name, symbol: token.symbol } : null;
}
