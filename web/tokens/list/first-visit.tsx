import { X } from 'lucide-react';
import { z } from 'zod';
import { keptAtom } from '../../kept-atom.ts';
import { useAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

const seenAtom = keptAtom('ui-first-visit', z.enum(['new', 'seen']), 'new');

const steps = [
  { step: 1, text: 'Rows arrive by themselves. Hover to hold them.', className: 'pointer-coarse:hidden' },
  { step: 1, text: 'New rows wait. Tap the green count to show them.', className: 'pointer-fine:hidden' },
  { step: 2, text: 'The pill says what is known, not what is safe.' },
  { step: 3, text: 'Press W to watch, ? for keys.', className: 'pointer-coarse:hidden' },
  { step: 3, text: 'Swipe right to watch, left to hide.', className: 'pointer-fine:hidden' },
];

/** Explains a list of tokens in three steps until it is dismissed on this device. */
export function FirstVisit() {
  const [seen, setSeen] = useAtom(seenAtom);
  if (seen === 'seen') return null;
  return (
    <section
      aria-label="First steps"
      className="flex items-center gap-3 rounded-md border border-line-strong bg-surface px-3 py-2 text-sm flat:hidden"
    >
      <ol className="flex min-w-0 flex-1 flex-wrap gap-x-6 gap-y-1">
        {steps.map(({ step, text, className }) => (
          <li key={text} className={classNames('flex items-baseline gap-2', className)}>
            <span aria-hidden="true" className="font-semibold text-accent tabular-nums">
              {step}
            </span>
            {text}
          </li>
        ))}
      </ol>
      <Button variant="ghost" size="icon" aria-label="Dismiss first steps" onClick={() => setSeen('seen')}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </section>
  );
}
