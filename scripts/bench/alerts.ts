/** `npm run bench:alerts`: share of a core for matching alerts at 200 token updates a second and 10,000 users. Prints one JSON line. */
import { setTimeout as pause } from 'node:timers/promises';
import { createMatcher } from '../../api/alerts/matching/matcher.ts';
import { between, detectedToken, seeded } from '../../api/alerts/testing/tokens.ts';
import type { TokenChange } from '../../api/events/events.ts';
import { defaultAlerts } from '../../common/settings/model.ts';
import type { Token } from '../../common/tokens/model.ts';

/** Share of a core, percent (issue 8, section 4). */
const BAR = 5;
const USERS = 10_000;
const TOKENS = 600;
const WATCHERS_PER_TOKEN = 10;
const UPDATES_PER_SECOND = 200;
const TICK_MS = 100;
const SECONDS = process.argv.includes('--quick') ? 3 : 10;

const random = seeded(7);
let matched = 0;
const matcher = createMatcher({
  clock: { now: Date.now },
  found: ({ userIds }) => {
    matched += userIds.length;
    return true;
  },
  onFirstPrice: () => {},
});

const tokens: Token[] = [];
for (let user = 0; user < USERS; user += 1) {
  // Every second user has the default settings.
  const own = { minLiquidity: between(random, 0, 100) / 10, maxRisk: between(random, 0, 20) * 5 };
  const alerts = user % 2 === 0 ? { ...defaultAlerts, ...own } : defaultAlerts;
  matcher.put({ id: String(user), alerts, since: 0, priceSince: 0 });
}
for (let number = 0; number < TOKENS; number += 1) {
  const figures = { price: 1, currentLiquidity: 2 + random() * 3, scamProbability: 20 + random() * 40 };
  const token = detectedToken(number, Date.now(), figures);
  tokens.push(token);
  matcher.onTokensChanged({ at: Date.now(), changes: [{ token, isNew: true, isComplete: true }] });
  for (let watcher = 0; watcher < WATCHERS_PER_TOKEN; watcher += 1) {
    const user = String(between(random, 0, USERS - 1));
    matcher.watch(user, { address: token.address, price: 1, since: 1 });
  }
}

/** Returns the changes of a tick: every figure moves by some percent, the risk in one of ten changes. */
function tick(): TokenChange[] {
  return Array.from({ length: (UPDATES_PER_SECOND * TICK_MS) / 1_000 }, () => {
    const number = between(random, 0, TOKENS - 1);
    const before = tokens[number];
    if (!before) throw new Error('no such token');
    const risk = before.scamProbability ?? 0;
    const token = {
      ...before,
      price: (before.price ?? 1) * (0.97 + random() * 0.06),
      currentLiquidity: (before.currentLiquidity ?? 1) * (0.95 + random() * 0.1),
      scamProbability: random() < 0.1 ? Math.min(100, Math.max(0, risk + (random() - 0.5) * 10)) : risk,
    };
    tokens[number] = token;
    return { token, isNew: false, isComplete: true };
  });
}

/** Runs `work` on every tick. Returns its share of a core, percent, and the longest tick, ms. */
async function measure(work: (changes: TokenChange[]) => void): Promise<{ share: number; longest: number }> {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let longest = 0;
  for (let number = 1; number <= (SECONDS * 1_000) / TICK_MS; number += 1) {
    const changes = tick();
    const before = performance.now();
    work(changes);
    longest = Math.max(longest, performance.now() - before);
    await pause(Math.max(0, startedAt + number * TICK_MS - performance.now()));
  }
  const { user, system } = process.cpuUsage(cpu);
  return { share: (user + system) / 10 / (performance.now() - startedAt), longest };
}

// The load itself costs something, so it is measured alone and subtracted.
const idle = await measure(() => {});
const before = matched;
const loaded = await measure((changes) => matcher.onTokensChanged({ at: Date.now(), changes }));
const share = Math.max(0, loaded.share - idle.share);
const pass = share <= BAR;
const figures = { sharePercent: share.toFixed(2), longestTickMs: loaded.longest.toFixed(2), matched: matched - before };
console.log(JSON.stringify({ bench: 'alerts', bar: BAR, ...figures, ...matcher.size(), pass }));
process.exitCode = pass ? 0 : 1;
