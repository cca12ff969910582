import fc from 'fast-check';
import type { Fact, Maturity, RiskContext, RiskFacts } from './score.ts';

/** Returns a fact of a test. */
export const fact = <Value>(value: Value): Fact<Value> => ({ value, at: 1_790_000_000_000, source: 'test' });

/** Returns facts of a coin that has earned a low score: nothing is wrong, and all is known except the judgement of services. */
export function clearFacts(overrides: Partial<RiskFacts> = {}): RiskFacts {
  return {
    maturity: fact<Maturity>('mature'),
    creatorRugged: fact(0),
    creatorLaunches24h: fact(0),
    otherCreator: fact(false),
    developerBought: fact(1),
    creatorHolds: fact(1),
    creatorHeld: null,
    developerSold: fact(0),
    developerSoldEarly: fact(0),
    insiderWallets: fact(0),
    insidersBought: fact(0),
    insidersHold: fact(0),
    insidersSold: fact(0),
    unboughtSales: fact(0),
    lpUnlocked: fact(0),
    lpPulled: fact({ sol: 0, byInsider: false }),
    topTen: fact(10),
    largestWallet: fact(5),
    liquidity: fact(50),
    drawdown: fact(0),
    priceFall: fact(0),
    drained: fact(false),
    rugged: fact(false),
    buysWithoutSell: fact(0),
    standardCurve: fact(true),
    transferFeeBps: fact(0),
    symbolTwin: fact(''),
    holders: fact(100),
    suspicious: null,
    organicScore: null,
    metadataMutable: fact(false),
    metadataFile: fact(true),
    mintAuthorityLive: fact(false),
    freezeAuthorityLive: fact(false),
    extensions: fact<string[]>([]),
    ...overrides,
  };
}

const share = fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map(fact));
const number = fc.option(fc.nat(50).map(fact));
const truth = fc.option(fc.boolean().map(fact));

/** Any mixture of known and unknown facts. */
export const anyFacts: fc.Arbitrary<RiskFacts> = fc.record({
  maturity: fc.option(fc.constantFrom<Maturity>('early', 'insider-sale', 'mature', 'mature').map(fact)),
  creatorRugged: number,
  creatorLaunches24h: number,
  otherCreator: truth,
  developerBought: share,
  creatorHolds: share,
  creatorHeld: share,
  developerSold: share,
  developerSoldEarly: share,
  insiderWallets: number,
  insidersBought: share,
  insidersHold: share,
  insidersSold: share,
  unboughtSales: share,
  lpUnlocked: share,
  lpPulled: fc.option(
    fc.record({ sol: fc.double({ min: 0, max: 100, noNaN: true }), byInsider: fc.boolean() }).map(fact),
  ),
  topTen: share,
  largestWallet: share,
  liquidity: share,
  drawdown: share,
  priceFall: share,
  drained: truth,
  rugged: truth,
  buysWithoutSell: number,
  standardCurve: truth,
  transferFeeBps: number,
  symbolTwin: fc.option(fc.constantFrom('', 'twin').map(fact)),
  holders: fc.option(fc.nat(100).map(fact)),
  suspicious: truth,
  organicScore: share,
  metadataMutable: truth,
  metadataFile: truth,
  mintAuthorityLive: truth,
  freezeAuthorityLive: truth,
  extensions: fc.option(fc.subarray(['transferHook', 'pausable']).map(fact)),
});

/** Any stage of a standard coin or another one. */
export const anyContext: fc.Arbitrary<RiskContext> = fc.record({
  stage: fc.constantFrom('curve', 'complete', 'pool'),
  standard: fc.boolean(),
});
