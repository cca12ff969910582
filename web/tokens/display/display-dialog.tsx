import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import { useAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { changeSpanAtom, spanOptions } from '../change.tsx';
import { columns as columnTexts } from '../columns.tsx';
import { type ChosenColumn, chosenColumns, type Density } from './column-ids.ts';
import { columnsAtom, densityAtom } from './display.ts';
import { UnitChoice } from './unit-switch.tsx';

const densities: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** Asks for unit, height and columns of the token tables; kept on this device. */
export default function DisplayDialog({ onClose }: { onClose: () => void }) {
  const [density, setDensity] = useAtom(densityAtom);
  const [columns, setColumns] = useAtom(columnsAtom);
  const [span, setSpan] = useAtom(changeSpanAtom);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Display"
      description="Kept on this device. Columns that do not fit are left out."
      footer={
        <>
          <Button
            onClick={() => {
              setColumns([...chosenColumns]);
              setDensity('comfortable');
            }}
          >
            Reset
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <span className="font-medium text-sm">Market cap and volume in</span>
          <UnitChoice />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="font-medium text-sm">Change over</span>
          <Choice options={spanOptions} value={span} onChange={setSpan} />
        </div>
        <div className="flex items-center justify-between gap-3">
          <span className="font-medium text-sm">Rows</span>
          <Choice options={densities} value={density} onChange={setDensity} />
        </div>
        <ColumnList columns={columns} onChange={setColumns} />
      </div>
    </Dialog>
  );
}

/** Returns a list with one of its items at another place. */
export function moved<Id>(list: readonly Id[], id: Id, to: number): Id[] {
  const others = list.filter((one) => one !== id);
  const place = Math.min(others.length, Math.max(0, to));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Lists all columns, the shown ones first, to be chosen and to be ordered by drag or by the arrow buttons. */
function ColumnList(props: { columns: readonly ChosenColumn[]; onChange: (columns: ChosenColumn[]) => void }) {
  const { columns, onChange } = props;
  const [dragged, setDragged] = useState<ChosenColumn | null>(null);
  const hidden = chosenColumns.filter((id) => !columns.includes(id));
  const toggle = (id: ChosenColumn, on: boolean) =>
    onChange(on ? [...columns, id] : columns.filter((one) => one !== id));
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-sm">Columns</legend>
      <ul className="flex flex-col rounded-md border border-line">
        {[...columns, ...hidden].map((id) => {
          const place = columns.indexOf(id);
          const isShown = place >= 0;
          const { label } = columnTexts[id];
          return (
            <li
              key={id}
              draggable={isShown}
              onDragStart={() => setDragged(id)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => {
                if (dragged === null || !isShown) return;
                event.preventDefault();
                if (dragged !== id) onChange(moved(columns, dragged, place));
              }}
              className={classNames(
                'flex h-9 items-center gap-2 border-line border-b px-2 last:border-b-0',
                dragged === id && 'bg-text/8',
              )}
            >
              <GripVertical
                size={14}
                aria-hidden="true"
                className={classNames('shrink-0 text-faint', isShown ? 'cursor-grab' : 'invisible')}
              />
              <label className="flex min-w-0 flex-1 items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  checked={isShown}
                  onChange={(event) => toggle(id, event.target.checked)}
                  className="size-4 accent-accent"
                />
                {label}
              </label>
              {isShown && (
                <Movers
                  label={label}
                  place={place}
                  last={columns.length - 1}
                  onMove={(to) => onChange(moved(columns, id, to))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

/** Renders the buttons that move one of a list up and down. `place` from 0. */
function Movers(props: { label: string; place: number; last: number; onMove: (to: number) => void }) {
  const { label, place, last, onMove } = props;
  return (
    <span className="flex shrink-0">
      <Button
        size="icon"
        variant="ghost"
        aria-label={`Move ${label} up`}
        disabled={place === 0}
        onClick={() => onMove(place - 1)}
      >
        <ArrowUp size={14} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <Button
        size="icon"
        variant="ghost"
        aria-label={`Move ${label} down`}
        disabled={place === last}
        onClick={() => onMove(place + 1)}
      >
        <ArrowDown size={14} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </span>
  );
}
