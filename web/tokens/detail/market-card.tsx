import { hasFewHolders, holderBand, liquidityBand } from '../../../common/tokens/levels.ts';
import type { TokenDetail } from '../../../common/tokens/model.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { Age } from '../../live/hooks/age.tsx';
import { useAtomValue } from '../../store.ts';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { count, dayTime, liquidity, marketCap, utcTime, wholeUsd } from '../../ui/format.ts';
import { Price } from '../../ui/price.tsx';
import { Bar, holderShare, liquidityShare } from '../cells.tsx';
import { Figure } from '../figure.tsx';
import { cleanText } from '../text.ts';
import { Fact, Facts } from './fact.tsx';

/** Shows the market data of a token. */
export function MarketCard({ token }: { token: TokenDetail }) {
  const band = liquidityBand(token.currentLiquidity);
  const few = hasFewHolders(token.holderCount);
  const { figuresAsOf: asOf } = token;
  return (
    <Card title="Market Data">
      <Facts>
        <Fact label="Price" below={asOf.price !== null && <FrozenNote at={asOf.price} />}>
          <Figure value={token.price}>
            <Price value={token.price} exact />
            {token.price !== null && ' SOL'}
          </Figure>
        </Fact>
        <Fact
          label="Current liquidity"
          below={
            <>
              <p
                className={classNames(
                  'mt-1 text-right text-2xs',
                  band === 'Very Low' || band === 'Low' ? 'text-risk-medium' : 'text-muted',
                )}
              >
                {band}
              </p>
              {/* Beside its own figure: below the current one it would seem to show that. */}
              <p className="mt-1 flex items-center gap-2 text-2xs text-muted tabular-nums">
                <span className="shrink-0">Started with {liquidity(token.initialLiquidity)}</span>
                <Bar share={liquidityShare(token.initialLiquidity)} />
              </p>
              {asOf.liquidity !== null && <FrozenNote at={asOf.liquidity} />}
            </>
          }
        >
          <Figure value={token.currentLiquidity}>{liquidity(token.currentLiquidity)}</Figure>
        </Fact>
        <Fact label="Market cap" below={asOf.marketCap !== null && <FrozenNote at={asOf.marketCap} />}>
          <Figure value={token.marketCap}>{marketCap(token.marketCap)}</Figure>
        </Fact>
        <Fact label="Volume, 24 h">
          <Figure value={token.volume}>{wholeUsd(token.volume)}</Figure>
        </Fact>
        <TradeCounts token={token} />
        <Fact
          label="Holders"
          below={
            <>
              <Bar share={holderShare(token.holderCount)} className="mt-1.5" />
              <p className="mt-1 text-right text-2xs text-muted">{holderBand(token.holderCount)}</p>
            </>
          }
        >
          <Figure value={token.holderCount} className={few ? 'text-risk-medium' : 'text-text'}>
            {count(token.holderCount)}
          </Figure>
        </Fact>
      </Facts>
      <RateNote solUsd={token.solUsd} />
    </Card>
  );
}

/** Gives the age of a figure of a coin whose pool is not followed. */
function FrozenNote({ at }: { at: string }) {
  const now = useAtomValue(serverClockAtom);
  return (
    <p
      className="mt-1 text-right text-2xs text-risk-medium"
      title={`Trades of the pool are not observed: this figure is as of ${utcTime(at)}.`}
    >
      as of migration, {dayTime(at, now)}
    </p>
  );
}

/** Shows the rate behind the dollar figures. */
function RateNote({ solUsd }: Pick<TokenDetail, 'solUsd'>) {
  return (
    <p className="mt-2 border-line border-t pt-2 text-2xs text-muted tabular-nums">
      {solUsd === null ? (
        'No rate: dollar figures are unknown'
      ) : (
        <>
          Dollars at ${solUsd.rate.toFixed(2)} for a SOL, by {cleanText(solUsd.source)}, <Age at={solUsd.at} /> ago
        </>
      )}
    </p>
  );
}

/** Shows the number of buys and sells, which are unknown once a trade was missed. */
function TradeCounts({ token: { buys, sells, tradesMissed } }: { token: TokenDetail }) {
  const missed = tradesMissed === 1 ? 'A trade was missed' : `At least ${count(tradesMissed)} trades were missed`;
  return (
    <Fact
      label="Buys and sells"
      below={tradesMissed > 0 && <p className="mt-1 text-right text-2xs text-risk-medium">{missed}</p>}
    >
      <span className="text-up">▲ {count(buys)}</span> <span className="text-down">▼ {count(sells)}</span>
    </Fact>
  );
}
