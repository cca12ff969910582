import type { Launches } from '../../common/launches/http.ts';
import { LAUNCHES_PATH, SESSION_PATH } from '../../common/paths.ts';
import { SECOND } from '../../common/time.ts';

/** The launch: 2025-05-24T00:00:00Z, epoch ms. */
export const LAUNCH_AT = Date.UTC(2025, 4, 24);

/** Interval of reading the launches while the page is visible, ms. */
const LAUNCHES_EVERY_MS = 5 * SECOND;

/**
 * Runs the front page of front.html, without the libraries of the app: counts down, shows how busy the market is, and leads
 * signed-in visitors on. Returns the function that ends it.
 */
export function start(page: Document, location: Pick<Location, 'pathname' | 'replace'>): () => void {
  const ends = [countDown(page), followLaunches(page), followTheme(page)];
  void leadOn(page, location);
  return () => {
    for (const end of ends) end();
  };
}

/** Leads a signed-in visitor from `/` to the dashboard, and links to it elsewhere. Without a response the page stays as it is. */
async function leadOn(page: Document, location: Pick<Location, 'pathname' | 'replace'>): Promise<void> {
  const isSignedIn = await fetch(SESSION_PATH, { credentials: 'include' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isSignedIn) return;
  if (location.pathname === '/') return location.replace('/app');
  for (const way of page.querySelectorAll<HTMLElement>('[data-way]')) {
    way.textContent = way.dataset.way ?? '';
    way.closest('a')?.setAttribute('href', '/app');
  }
}

/** Shows the time left until the launch, every second until it is zero. */
function countDown(page: Document): () => void {
  const show = () => {
    const now = Date.now();
    for (const [unit, value] of Object.entries(countdownAt(now))) {
      const shown = page.querySelector(`[data-unit=${unit}]`);
      if (shown !== null) shown.textContent = String(value).padStart(2, '0');
    }
    if (now >= LAUNCH_AT) clearInterval(timer);
  };
  const timer = setInterval(show, SECOND);
  show();
  return () => clearInterval(timer);
}

/** Paints the page again after another tab has chosen a theme: theme.js reads the choice. */
function followTheme(page: Document): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== 'ui-theme') return;
    const script = page.createElement('script');
    script.src = '/theme.js';
    script.addEventListener('load', () => script.remove());
    page.head.append(script);
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

interface Countdown {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Returns the time left until the launch at `now` (epoch ms); all zero afterwards. */
export function countdownAt(now: number): Countdown {
  // A started second still counts, so that zero shows at the launch and not a second early.
  const left = Math.max(0, Math.ceil((LAUNCH_AT - now) / SECOND));
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3600) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
  };
}

/** Shows how busy the market is, as proof that the product is live; nothing while that is unknown. */
function followLaunches(page: Document): () => void {
  const shown = page.querySelector('[data-launches]');
  let latest: { launches: Launches; receivedAt: number } | null = null;
  const show = () => {
    if (shown === null) return;
    shown.textContent = latest === null ? '' : launchesText(latest.launches, Date.now() - latest.receivedAt);
  };
  const read = async () => {
    if (page.visibilityState !== 'visible') return;
    try {
      const response = await fetch(LAUNCHES_PATH);
      latest = response.ok ? { launches: await response.json(), receivedAt: Date.now() } : null;
    } catch {
      latest = null;
    }
    show();
  };
  void read();
  const timers = [setInterval(() => void read(), LAUNCHES_EVERY_MS), setInterval(show, SECOND)];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** Returns the line of the launches, `age` ms after the response; unknown figures are left out. */
export function launchesText(launches: Launches, age: number): string {
  const { perMinute, lastAt, publishedAfterMs, simulated, at } = launches;
  const parts: string[] = [];
  if (perMinute !== null) parts.push(`${rounded(perMinute)} ${perMinute === 1 ? 'launch' : 'launches'} a minute`);
  if (lastAt !== null) parts.push(`last one ${ageText(Date.parse(at) - Date.parse(lastAt) + age)} ago`);
  if (publishedAfterMs !== null) parts.push(`chain → screen ${msText(publishedAfterMs)}`);
  return parts.length === 0 ? '' : `${simulated ? 'Simulated market' : 'Live now'}: ${parts.join(' · ')}`;
}

function rounded(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}

function msText(ms: number): string {
  return ms < SECOND ? `${ms} ms` : `${(ms / SECOND).toFixed(1)} s`;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
