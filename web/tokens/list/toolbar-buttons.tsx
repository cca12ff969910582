import { Columns3, Pause, Play, SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { counted } from '../../../common/counted.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

const DisplayDialog = lazy(() => import('../display/display-dialog.tsx'));

/** Opens the settings of columns, rows and units. */
export function DisplayButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Tooltip content="Columns, rows and units">
        <Button size="icon" variant="ghost" onClick={() => setOpen(true)} aria-label="Display">
          <Columns3 size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </Tooltip>
      {open && (
        <Suspense fallback={null}>
          <DisplayDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

export function PauseButton({ paused, onPause }: { paused: boolean; onPause: () => void }) {
  const Icon = paused ? Play : Pause;
  return (
    <Tooltip content={paused ? 'Show new tokens (Space)' : 'Hold the list still (Space)'}>
      <Button size="icon" variant="ghost" onClick={onPause} aria-pressed={paused} aria-label="Pause the list">
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </Tooltip>
  );
}

/** Opens the drawer of limits, and shows how many are set. `filtering`: it is open. */
export function FiltersButton(props: { limited: number; filtering: boolean; onFiltering: () => void }) {
  const { limited, filtering, onFiltering } = props;
  return (
    <Button
      size="sm"
      aria-expanded={filtering}
      aria-label={limited === 0 ? 'Filters' : `Filters, ${counted(limited, 'limit')} set`}
      onClick={onFiltering}
      className={classNames('h-8!', limited > 0 && 'border-accent! text-accent!')}
    >
      <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="max-md:hidden">Filters</span>
      {limited > 0 && <span className="rounded-full bg-accent/12 px-1.5 text-2xs tabular-nums">{limited}</span>}
    </Button>
  );
}
