import { Fragment, type ReactNode } from 'react';
import type { Quote } from '../../../common/trading/order.ts';
import { tokensText } from '../../../common/trading/text.ts';
import { costSol, exactSol, gainSol, type NamedToken, percentOfBps, symbolOfToken } from '../format.ts';

/** Shows the result of a trade if it were made now, with every cost by name. */
export function QuoteLines({ quote, token }: { quote: Quote; token: NamedToken }) {
  return (
    <div className="flex flex-col gap-1 text-muted text-xs tabular-nums">
      <p className="text-sm text-text">{resultLine(quote, token)}</p>
      <p>Price impact {percentOfBps(quote.impactBps)}</p>
      <p>
        {costParts(quote).map((part, at, { length }) => (
          <Fragment key={part}>
            {/* Breaks within itself only where it is longer than a line. */}
            <span className="inline-block">
              {part}
              {at < length - 1 && ' ·'}
            </span>{' '}
          </Fragment>
        ))}
      </p>
      <Total quote={quote} />
      {quote.mode === 'paper' && <p>Paper: assumes that others would have traded the same.</p>}
    </div>
  );
}

function resultLine(quote: Quote, token: NamedToken): ReactNode {
  const { side, tokens, decimals, leastTokens, lamports, leastLamports, slippageBps } = quote;
  const symbol = <bdi>{symbolOfToken(token)}</bdi>;
  const slippage = percentOfBps(slippageBps);
  if (side === 'buy') {
    return (
      <>
        You get about {tokensText(tokens, decimals)} {symbol}
        {leastTokens !== null && `, at least ${tokensText(leastTokens, decimals)} `}
        {leastTokens !== null && <span className="whitespace-nowrap">({slippage})</span>}
      </>
    );
  }
  return (
    <>
      You sell {tokensText(tokens, decimals)} {symbol} for about {gainSol(lamports)} SOL
      {leastLamports !== null && `, at least ${gainSol(leastLamports)} `}
      {leastLamports !== null && <span className="whitespace-nowrap">({slippage})</span>}
    </>
  );
}

/** Returns every cost of a trade by its name. Costs of 0 that a trade can't have are left out. */
function costParts({ side, venue, costs }: Pick<Quote, 'side' | 'venue' | 'costs'>): string[] {
  const { launchpadFeeLamports, networkFeeLamports, priorityFeeLamports, tipLamports } = costs;
  return [
    `${venue === 'pool' ? 'Pool' : 'Launchpad'} fee ${costSol(launchpadFeeLamports)} SOL`,
    `network ${costSol(networkFeeLamports)}`,
    `priority ${priorityFeeLamports === 0 ? 'none' : `up to ${costSol(priorityFeeLamports)}`}`,
    `tip ${tipLamports === 0 ? 'none' : costSol(tipLamports)}`,
    ...(costs.accountRentLamports > 0
      ? [`account rent ${costSol(costs.accountRentLamports)} (comes back when you sell all)`]
      : []),
    ...(costs.volumeRentLamports > 0
      ? [`launchpad account ${costSol(costs.volumeRentLamports)} (once, with your first purchase)`]
      : []),
    ...(side === 'sell' && costs.returnedRentLamports > 0
      ? [`account rent ${gainSol(costs.returnedRentLamports)} comes back`]
      : []),
  ];
}

function Total({ quote: { side, totalLamports } }: { quote: Quote }) {
  return (
    <p className="mt-1 font-semibold text-base text-text" title={`Exactly ${exactSol(totalLamports)} SOL`}>
      {side === 'buy'
        ? `Leaves your wallet: at most ${costSol(totalLamports)} SOL`
        : `Arrives in your wallet: at least ${gainSol(totalLamports)} SOL`}
    </p>
  );
}
