import { Fragment } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { keyHelp } from './keys.ts';

/** Lists every key of the product. */
export default function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys" wide>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {keyHelp.map(({ place, lines }) => (
          <section key={place} className="min-w-0" aria-label={place}>
            <h3 className="mb-2 font-semibold text-sm">{place}</h3>
            <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1.5 text-sm">
              {lines.map(({ keys, text }) => (
                <Fragment key={text}>
                  <dt className="text-muted">{text}</dt>
                  <dd className="flex gap-1.5">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="rounded-sm border border-line-strong bg-surface px-1.5 py-0.5 font-mono text-2xs"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
