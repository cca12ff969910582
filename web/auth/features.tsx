import { Bot, ChartNoAxesCombined, type LucideIcon, Send, Zap } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../ui/class-names.ts';

/** Interval of the highlight, ms; it has 5 steps: four cards, and one step without a highlight. */
export const FEATURE_STEP_MS = 3000;
export const FEATURE_STEPS = 5;

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
export function Features() {
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
