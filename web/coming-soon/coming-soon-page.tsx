import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { sessionAtom } from '../auth/session.ts';
import { useAtomValue } from '../store.ts';
import { Backdrop } from '../ui/backdrop.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Wordmark } from '../ui/logo.tsx';
import { useCountdown } from './countdown.ts';
import { Trace } from './trace.tsx';

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
