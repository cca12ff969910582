import type { SystemStatus } from '../../common/admin/model.ts';
import { count } from '../ui/format.ts';
import {
  duration,
  interval,
  megabytes,
  milliseconds,
  percentiles,
  perSecond,
  type StateLabel,
  scannerStates,
  socialStates,
} from './labels.ts';
import { Ago, Fact, Facts, StateCard, Until } from './state-card.tsx';

interface StatusProps {
  status: SystemStatus;
}

export function BotCard({ status: { bot } }: StatusProps) {
  return (
    <StateCard title="Telegram Bot" state={botState(bot)}>
      <Facts>
        <Fact label="Linked chats">{count(bot.chats)}</Fact>
        <Fact label="Messages waiting">{count(bot.queued)}</Fact>
      </Facts>
      {bot.error !== null && <p className="break-words text-down text-xs">{bot.error}</p>}
      {!bot.configured && <p className="text-muted text-xs">No TELEGRAM_BOT_TOKEN was provided.</p>}
    </StateCard>
  );
}

function botState({ configured, connected }: SystemStatus['bot']): StateLabel {
  if (!configured) return { text: 'Off', tone: 'warning' };
  return connected ? { text: 'Connected', tone: 'accent' } : { text: 'Not connected', tone: 'danger' };
}

export function ChainScannerCard({ status: { chainScanner } }: StatusProps) {
  const { state, intervalMs, lastRunAt, nextRunAt, found } = chainScanner;
  return (
    <StateCard title="Chain Scanner" state={scannerStates[state]}>
      <Facts>
        <Fact label="Scan interval">{interval(intervalMs)}</Fact>
        <Fact label="Last run">
          <Ago at={lastRunAt} />
        </Fact>
        <Fact label="Next run">
          <Until at={nextRunAt} />
        </Fact>
        <Fact label="Tokens found">{count(found)}</Fact>
      </Facts>
      {nextRunAt === null && state === 'running' && (
        <p className="text-muted text-xs">Streams report new tokens continuously. No source is polled on a schedule.</p>
      )}
    </StateCard>
  );
}

export function SocialCard({ status: { social } }: StatusProps) {
  const { state, reason, accounts, lastScanAt, posts, mentions } = social;
  return (
    <StateCard title="Social-Feed Scanner" state={socialStates[state]}>
      <Facts>
        <Fact label="Tracked accounts">{count(accounts.length)}</Fact>
        <Fact label="Last scan">
          <Ago at={lastScanAt} />
        </Fact>
        <Fact label="Posts read">{count(posts)}</Fact>
        <Fact label="Mint addresses named">{count(mentions)}</Fact>
      </Facts>
      {accounts.length > 0 && (
        <p className="break-words text-muted text-xs">{accounts.map((account) => `@${account}`).join(', ')}</p>
      )}
      {reason !== null && <p className="break-words text-muted text-xs">{reason}</p>}
    </StateCard>
  );
}

export function FeedCard({ status: { feed } }: StatusProps) {
  return (
    <StateCard title="Live Feed">
      <Facts>
        <Fact label="Clients">{count(feed.clients)}</Fact>
        <Fact label="Events">{perSecond(feed.eventsPerSecond)}</Fact>
        <Fact label="Lag p50 / p99" whole>
          {percentiles(feed.lagP50, feed.lagP99)}
        </Fact>
        <Fact label="Stalled clients">{count(feed.stalled)}</Fact>
        <Fact label="Waiting to be sent">{`${count(feed.queuedBytes / 1_000)} kB`}</Fact>
        <Fact label="Closed for being slow">{count(feed.closedSlow)}</Fact>
      </Facts>
    </StateCard>
  );
}

export function ServerCard({ status: { mongo, process, uptime, version } }: StatusProps) {
  const state: StateLabel = mongo.up
    ? { text: 'MongoDB up', tone: 'accent' }
    : { text: 'MongoDB down', tone: 'danger' };
  return (
    <StateCard title="Server" state={state}>
      <Facts>
        <Fact label="MongoDB answers in">{milliseconds(mongo.pingMs)}</Fact>
        <Fact label="Memory">{megabytes(process.rssBytes)}</Fact>
        <Fact label="of it JavaScript">{megabytes(process.heapBytes)}</Fact>
        <Fact label="Event loop held up at most">{milliseconds(process.eventLoopMaxMs)}</Fact>
        <Fact label="Running for">{duration(uptime)}</Fact>
        <Fact label="Version">{version}</Fact>
      </Facts>
    </StateCard>
  );
}
