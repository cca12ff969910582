import type { CreatedObservation, Observation, TradeObservation } from '../../../api/market/sources/observation.ts';
import { CURVE_START } from '../../../api/market/sources/simulator/coin/curve.ts';
import { SECOND } from '../../../common/time.ts';
import { STANDARD_CURVE } from '../../../common/tokens/curve.ts';
import { afterCurveTrade, quoteForSale, tokensForQuote } from '../../../common/tokens/curve-trades.ts';
import { engineWithoutStorage } from './engine-without-storage.ts';

/** One act of a scene, `at` seconds after the creation: a wallet buys for SOL, or sells a share 0–1 of what it holds. */
type Act =
  | { at: number; wallet: string; buy: number; slot?: number }
  | { at: number; wallet: string; sell: number; of?: string };

/** A scripted life on the real curve. */
interface Scene {
  name: string;
  /** Creator named by the creation; the wallet `developer` signs it. */
  creator: string;
  acts: readonly Act[];
  /** Seconds from the creation to the begin of the exit, and to the scoring of the scene. */
  exitAt: number;
  scoredAt: number;
  /** What the score must be at the end, and whether the coin may ever have been a runner. */
  expected: { atLeast?: number; atMost?: number; runner?: false };
}

/** A scene as the product saw it. */
export interface SceneResult {
  name: string;
  before: number | null;
  after: number | null;
  wasRunner: boolean;
  pass: boolean;
}

const SOL = 1_000_000_000;
const START = Date.UTC(2026, 8, 1, 12);
const CREATION_SLOT = 430_000_000;
/** Length of the slots in which the scenes are written, ms. */
const SLOT = 400;
const STEP = 500;
const COIN = 'Scene1111111111111111111111111111111111pump';

const times = <Item>(count: number, item: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, number) => item(number));

/** Buys of outside wallets, each with the same SOL, evenly from `from` to `until` seconds. */
const outsiders = (count: number, buy: number, from: number, until: number): Act[] =>
  times(count, (number) => ({ at: from + ((until - from) * number) / count, wallet: `outsider ${number}`, buy }));

const bundle = (count: number, buy: number, slot: number): Act[] =>
  times(count, (number) => ({ at: (slot * SLOT) / SECOND, wallet: `insider ${number}`, buy, slot }));

const exits = (count: number, at: number): Act[] =>
  times(count, (number) => ({ at: at + number / 10, wallet: `insider ${number}`, sell: 1 }));

const developerBuys: Act = { at: 0, wallet: 'developer', buy: 5, slot: 0 };

/** The scenes of the issue: lives that end badly, and an honest one. */
export const scenes: readonly Scene[] = [
  {
    name: 'bundle in the slot of the creation, all out at 30 s',
    creator: 'developer',
    acts: [
      developerBuys,
      ...bundle(5, 1, 0),
      ...outsiders(15, 0.5, 8, 29),
      { at: 30, wallet: 'developer', sell: 1 },
      ...exits(5, 30.1),
    ],
    exitAt: 30,
    scoredAt: 32,
    expected: { atLeast: 50 },
  },
  {
    name: 'the same, developer waits to 61.5 s',
    creator: 'developer',
    acts: [
      developerBuys,
      ...bundle(5, 1, 0),
      ...outsiders(15, 0.5, 8, 29),
      ...exits(5, 61),
      { at: 61.5, wallet: 'developer', sell: 1 },
    ],
    exitAt: 61,
    scoredAt: 63,
    expected: { atLeast: 50 },
  },
  {
    name: "the same in another creator's name, bundle one slot later",
    creator: 'stranger',
    acts: [
      developerBuys,
      ...bundle(5, 1, 1),
      ...outsiders(15, 0.5, 8, 29),
      { at: 30, wallet: 'developer', sell: 1 },
      ...exits(5, 30.1),
    ],
    exitAt: 30,
    scoredAt: 32,
    expected: { atLeast: 50 },
  },
  {
    name: 'ten insiders from the second slot on hold 40 %, sold to 30 buyers',
    creator: 'developer',
    acts: [...bundle(10, 1.85, 2), ...outsiders(30, 0.3, 8, 50), ...exits(10, 60)],
    exitAt: 60,
    scoredAt: 62,
    expected: { atLeast: 50 },
  },
  {
    name: 'the developer hands its bag to a stranger who sells',
    creator: 'developer',
    acts: [developerBuys, ...outsiders(15, 0.5, 8, 29), { at: 40, wallet: 'heir', sell: 1, of: 'developer' }],
    exitAt: 40,
    scoredAt: 42,
    expected: { atLeast: 50 },
  },
  {
    name: '20 wallets of 0.001 SOL each',
    creator: 'developer',
    acts: outsiders(20, 0.001, 3, 60),
    exitAt: 61,
    scoredAt: 90,
    expected: { runner: false },
  },
  {
    name: 'honest: 0.2 SOL of the developer, 60 buyers',
    creator: 'developer',
    acts: [{ at: 0, wallet: 'developer', buy: 0.2, slot: 0 }, ...outsiders(60, 0.25, 5, 120)],
    exitAt: 121,
    scoredAt: 130,
    expected: { atMost: 30 },
  },
];

/** Plays a scene through the product's engine, on a cluster with slots of `slotMs`. */
export async function playScene(scene: Scene, slotMs: number): Promise<SceneResult> {
  const clock = { at: START, now: () => clock.at };
  const { engine, bus } = engineWithoutStorage(clock);
  let wasRunner = false;
  bus.on('token-listed', ({ list, active }) => {
    if (list === 'runner' && active) wasRunner = true;
  });
  const events = observationsOf(scene, slotMs);
  let next = 0;
  const scores = async (until: number): Promise<number | null> => {
    for (; clock.at < until; clock.at += STEP) {
      const from = next;
      while ((events[next]?.receivedAt ?? Number.POSITIVE_INFINITY) < clock.at) next += 1;
      engine.queue.add(events.slice(from, next));
      await engine.tick();
      await engine.settled();
    }
    return engine.recompute([COIN], [])[0]?.riskScore ?? null;
  };
  const before = await scores(START + scene.exitAt * SECOND);
  const after = await scores(START + scene.scoredAt * SECOND);
  return {
    name: scene.name,
    before,
    after,
    wasRunner,
    pass: meets(scene.expected, after, wasRunner),
  };
}

function meets({ atLeast, atMost, runner }: Scene['expected'], score: number | null, wasRunner: boolean): boolean {
  if (atLeast !== undefined && (score === null || score < atLeast)) return false;
  if (atMost !== undefined && (score === null || score > atMost)) return false;
  return runner === undefined || !wasRunner;
}

function observationsOf({ creator, acts }: Scene, slotMs: number): (CreatedObservation | TradeObservation)[] {
  const creation = createdBy(creator, slotMs);
  const balances = new Map<string, number>();
  let reserves: TradeObservation['reserves'] = { ...CURVE_START };
  const trades = [...acts]
    .sort((a, b) => a.at - b.at)
    .map((act, number): TradeObservation => {
      const isBuy = 'buy' in act;
      const owner = 'sell' in act ? (act.of ?? act.wallet) : act.wallet;
      const held = balances.get(owner) ?? 0;
      const tokenAmount = isBuy ? tokensForQuote(reserves, act.buy * SOL) : Math.floor(held * act.sell);
      const quoteAmount = isBuy ? act.buy * SOL : quoteForSale(reserves, tokenAmount);
      const side = isBuy ? 'buy' : 'sell';
      balances.set(owner, held + (isBuy ? tokenAmount : -tokenAmount));
      reserves = afterCurveTrade(reserves, side, quoteAmount, tokenAmount);
      const at = START + act.at * SECOND;
      const after = 'slot' in act && act.slot !== undefined ? act.slot * SLOT : act.at * SECOND;
      const slot = Math.floor(after / slotMs);
      const inCreation = act.wallet === 'developer' && isBuy;
      const chain = inCreation
        ? { ...creation.chain, index: 1 }
        : { signature: `act ${number}`, index: 0, slot: CREATION_SLOT + slot };
      return {
        ...shared(at),
        kind: 'trade',
        chain,
        side,
        wallet: act.wallet,
        quoteAmount,
        tokenAmount,
        reserves,
        creator,
        venue: 'curve',
      };
    });
  return [creation, ...trades];
}

function createdBy(creator: string, slotMs: number): CreatedObservation {
  return {
    ...shared(START),
    kind: 'created',
    chain: { signature: 'creation', index: 0, slot: CREATION_SLOT },
    name: 'Scene',
    symbol: 'SCENE',
    uri: 'https://example.invalid/scene.json',
    creator,
    user: 'developer',
    bondingCurve: 'curve',
    decimals: STANDARD_CURVE.decimals,
    totalSupply: String(STANDARD_CURVE.totalSupply),
    reserves: { ...CURVE_START },
    mayhem: false,
    cashback: false,
    slotMs,
  };
}

/** Returns the fields that all events of the scene have; chain times are whole seconds. */
function shared(at: number) {
  return {
    source: 'solana',
    at: Math.floor(at / SECOND) * SECOND,
    receivedAt: at,
    address: COIN,
    quote: 'SOL',
    launchpad: 'pump.fun',
    cluster: 'mainnet',
  } as const satisfies Partial<Observation>;
}
