import { useState } from 'react';
import { Link } from 'wouter';
import { tokenCalls } from '../../../common/tokens/http.ts';
import {
  type CoinEnd,
  CREATOR_DAYS,
  type CreatorCoin,
  type CreatorRecord,
} from '../../../common/tokens/wallets/creator.ts';
import { Loaded } from '../../http/loaded.tsx';
import { Age } from '../../live/hooks/age.tsx';
import { useSol } from '../../live/hooks/use-sol.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { count } from '../../ui/format.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Figure } from '../figure.tsx';
import { detailPath } from '../links.ts';
import { nameOf, symbolOf } from '../text.ts';

/** Interval of the creator's record, ms. */
const CREATOR_EVERY_MS = 60_000;
/** Coins shown before all are asked for. */
const FIRST_COINS = 5;

const ends: Record<CoinEnd, { text: string; tone: BadgeTone }> = {
  drained: { text: 'Drained', tone: 'danger' },
  migrated: { text: 'Migrated', tone: 'runner' },
  alive: { text: 'Alive', tone: 'accent' },
  quiet: { text: 'Quiet', tone: 'neutral' },
};

/** Shows the other coins of a token's creator, and what became of them. */
export function CreatorCard({ address }: { address: string }) {
  const query = useUserQuery(tokenCalls.creator, { params: { address } }, CREATOR_EVERY_MS);
  const waiting = <SkeletonRows rows={2} label="Loading the creator's coins" />;
  return (
    <Card title="Creator's coins">
      <Loaded query={query} problem="Error Loading Creator" waiting={waiting} bare className="py-2">
        {(record) => <Coins record={record} />}
      </Loaded>
    </Card>
  );
}

function Coins({ record }: { record: CreatorRecord }) {
  const [showsAll, setShowsAll] = useState(false);
  const { coins } = record;
  return (
    <>
      <p className="text-sm">{recordText(record)}</p>
      {coins.length > 0 && (
        <ul aria-label="Other coins of the creator" className="mt-2 divide-y divide-line border-line border-t">
          {(showsAll ? coins : coins.slice(0, FIRST_COINS)).map((coin) => (
            <Coin key={coin.address} coin={coin} />
          ))}
        </ul>
      )}
      {!showsAll && coins.length > FIRST_COINS && (
        <Button size="sm" className="mt-2" onClick={() => setShowsAll(true)}>
          Show {coins.length} coins
        </Button>
      )}
    </>
  );
}

function Coin({ coin }: { coin: CreatorCoin }) {
  const { text, tone } = ends[coin.end];
  const highest = useSol(coin.highestMarketCap);
  return (
    <li className="flex h-9 items-center gap-3 text-sm tabular-nums">
      <Link href={detailPath(coin.address)} className="min-w-0 flex-1 truncate hover:text-accent">
        <bdi className="font-medium">{symbolOf(coin) ?? nameOf(coin)}</bdi>{' '}
        {symbolOf(coin) !== null && <bdi className="text-muted">{nameOf(coin)}</bdi>}
      </Link>
      <span className="shrink-0 text-muted text-xs" title="Highest market cap">
        max <Figure value={highest.value}>{highest.text}</Figure>
      </span>
      <span className="w-8 shrink-0 text-right text-muted text-xs">
        <Age at={coin.launchedAt} />
      </span>
      <span className="flex w-20 shrink-0 justify-end">
        <Badge tone={tone}>{text}</Badge>
      </span>
    </li>
  );
}

/** Returns the record in a sentence: `Launched 14 other coins in 30 days · 1 migrated · 9 drained within 1 h`. */
export function recordText(record: Omit<CreatorRecord, 'coins'>): string {
  const { wallet, launched, hasMore, migrated, drained, drainedWithinHour } = record;
  if (wallet === null) return 'The creator is unknown, and so are its other coins.';
  if (launched === 0) return `No other coin of this creator was seen in ${CREATOR_DAYS} days.`;
  const least = hasMore ? 'at least ' : '';
  const coins = launched === 1 ? 'coin' : 'coins';
  const soon = drainedWithinHour === drained ? ' within 1 h' : `, ${count(drainedWithinHour)} within 1 h`;
  return [
    `Launched ${least}${count(launched)} other ${coins} in ${CREATOR_DAYS} days`,
    `${count(migrated)} migrated`,
    drained === 0 ? '0 drained' : `${count(drained)} drained${soon}`,
  ].join(' · ');
}
