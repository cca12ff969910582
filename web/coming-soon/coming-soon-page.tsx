import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SECOND } from '../../common/time.ts';
import { sessionAtom } from '../auth/session.ts';
import { useAtomValue } from '../store.ts';
import { Backdrop } from '../ui/backdrop.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Wordmark } from '../ui/logo.tsx';

/** The launch: 2025-05-24T00:00:00Z, epoch ms. */
export const LAUNCH_AT = Date.UTC(2025, 4, 24);

/** The front page, shown for every unknown address outside the app: the countdown and the link to sign in. */
export default function ComingSoonPage() {
  const left = useCountdown();
  const session = useAtomValue(sessionAtom);
  const signedIn = session !== null && session !== 'unknown';
  useEffect(() => {
    document.title = 'Mintwatch · Coming soon';
  }, []);
  const way = signedIn ? { href: '/app', label: 'Go to dashboard' } : { href: '/auth', label: 'Sign in' };
  return (
    <div className="relative isolate flex min-h-dvh flex-col overflow-hidden">
      <Backdrop />
      <header className="flex h-16 items-center justify-between px-4 sm:px-8">
        <Wordmark />
        <ButtonLink href={way.href} variant="secondary">
          {way.label}
        </ButtonLink>
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-4 pt-6 pb-40 text-center">
        <h1 className="font-semibold text-display tracking-[-0.045em]">COMING SOON</h1>
        <p className="mt-5 max-w-[46ch] text-balance text-lg text-muted">
          Every new Solana token, scored for risk and on your screen within a moment of its creation.
        </p>
        <div
          role="timer"
          aria-label="Time to launch"
          className="mt-10 flex divide-x divide-line rounded-lg border border-line bg-surface/70"
        >
          <Unit label="Days" value={left.days} />
          <Unit label="Hours" value={left.hours} />
          <Unit label="Minutes" value={left.minutes} />
          <Unit label="Seconds" value={left.seconds} />
        </div>
        <ButtonLink href={way.href} variant="primary" className="mt-10 h-11 px-5">
          {signedIn ? 'Continue' : 'Enter Mintwatch'}
          <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />
        </ButtonLink>
      </main>
      <Trace />
    </div>
  );
}

function Unit({ label, value }: { label: string; value: number }) {
  return (
    <div className="w-19 py-4 sm:w-28 sm:py-5">
      <div className="font-semibold text-2xl tabular-nums tracking-tight sm:text-[40px] sm:leading-11">
        {String(value).padStart(2, '0')}
      </div>
      <div className="mt-1 text-muted text-xs">{label}</div>
    </div>
  );
}

/** A decorative price line along the foot of the page: flat, then rising. */
function Trace() {
  return (
    <svg
      viewBox="0 0 1200 160"
      preserveAspectRatio="none"
      fill="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-40 w-full text-accent"
    >
      <defs>
        <linearGradient id="trace-fill" x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="currentColor" stopOpacity="0.16" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
      </defs>
      <polygon points={`0,160 ${line} 1200,160`} fill="url(#trace-fill)" />
      <polyline
        points={line}
        stroke="currentColor"
        strokeOpacity="0.75"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

const line =
  '0,138 60,136 110,139 160,132 205,135 250,128 300,131 350,122 390,127 440,118 480,121 530,108 565,114 610,104 650,111 ' +
  '690,96 730,103 770,84 800,93 840,72 870,80 905,58 930,67 965,44 990,55 1025,36 1055,49 1090,28 1120,38 1160,18 1200,24';

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

/** Returns the countdown, updated every second until it reaches zero. */
function useCountdown(): Countdown {
  const [now, setNow] = useState(() => Date.now());
  const over = now >= LAUNCH_AT;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [over]);
  return countdownAt(now);
}
