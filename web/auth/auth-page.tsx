import { Bot, ChartNoAxesCombined, type LucideIcon, Send, Zap } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, Redirect } from 'wouter';
import { useAtomValue } from '../store.ts';
import { Backdrop } from '../ui/backdrop.tsx';
import { classNames } from '../ui/class-names.ts';
import { Wordmark } from '../ui/logo.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Draft } from './auth-form.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { sessionAtom } from './session.ts';

/** Renders `/auth`: login and registration beside the features. Redirects signed-in visitors to `/`. */
export default function AuthPage() {
  const session = useAtomValue(sessionAtom);
  const [draft, setDraft] = useState<Draft>({ username: '', password: '' });
  useEffect(() => {
    document.title = 'Sign in · Mintwatch';
  }, []);
  if (session !== null && session !== 'unknown') return <Redirect to="/" replace />;

  const tabs = [
    { id: 'login', label: 'Login', content: <LoginForm draft={draft} onDraft={setDraft} /> },
    { id: 'register', label: 'Register', content: <RegisterForm draft={draft} onDraft={setDraft} /> },
  ];
  return (
    <div className="relative isolate grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]">
      <Backdrop />
      <section
        aria-label="About Mintwatch"
        className="flex flex-col justify-center px-4 py-10 max-lg:order-last sm:px-10 lg:px-16 lg:py-16"
      >
        <div className="mx-auto w-full max-w-lg">
          <h2 className="text-balance font-semibold text-2xl tracking-tight">See the token while it is still new.</h2>
          <p className="mt-2 mb-6 max-w-[52ch] text-muted">
            Newly created Solana tokens, scored for risk and live on your screen.
          </p>
          <Features />
        </div>
      </section>
      <main className="flex flex-col justify-center border-line bg-surface px-4 py-10 max-lg:border-b sm:px-10 lg:border-l lg:px-16">
        <div className="mx-auto w-full max-w-sm">
          <Link href="/" className="-m-1 mb-7 inline-block rounded-md p-1" aria-label="Mintwatch, to the front page">
            <Wordmark />
          </Link>
          <h1 className="mb-4 font-semibold text-xl tracking-tight">Welcome to Mintwatch</h1>
          <Tabs label="Login or register" tabs={tabs} contentClassName="pt-5" fill />
        </div>
      </main>
    </div>
  );
}

/** Interval of the highlight, ms; it has 5 steps: four cards, and one step without a highlight. */
export const FEATURE_STEP_MS = 3000;
const FEATURE_STEPS = 5;

const features: readonly { title: string; text: string; icon: LucideIcon }[] = [
  { title: 'Ultra-fast token detection', text: 'New tokens on screen moments after they are created.', icon: Zap },
  { title: 'Automated trading strategies', text: 'Rules that buy and sell by limits you set.', icon: Bot },
  {
    title: 'Advanced analytics',
    text: 'Every risk score with its factors and their evidence.',
    icon: ChartNoAxesCombined,
  },
  { title: 'Telegram integration', text: 'Alerts and commands where you already are.', icon: Send },
];

/** Shows the features beside the forms. */
function Features() {
  const [step, setStep] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setStep((now) => (now + 1) % FEATURE_STEPS), FEATURE_STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <ul aria-label="Features" className="flex flex-col gap-2">
      {features.map((feature, index) => {
        const highlighted = index === step;
        return (
          <li
            key={feature.title}
            data-highlighted={highlighted}
            className={classNames(
              'flex items-start gap-3.5 rounded-lg border p-3.5 transition-colors duration-180',
              highlighted ? 'border-accent/45 bg-accent/6' : 'border-line bg-surface/60',
            )}
          >
            <span
              className={classNames(
                'grid size-8 shrink-0 place-items-center rounded-md border transition-colors duration-180',
                highlighted ? 'border-accent/40 bg-accent/10 text-accent' : 'border-line text-muted',
              )}
            >
              <feature.icon size={16} strokeWidth={1.75} aria-hidden="true" />
            </span>
            <div className="min-w-0">
              <h3 className="font-medium text-base">{feature.title}</h3>
              <p className="text-muted text-sm">{feature.text}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
