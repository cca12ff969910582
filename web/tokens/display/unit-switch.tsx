import { useEffect } from 'react';
import { hasNoRateAtom, unitAtom } from '../../live/atoms/unit.ts';
import { useAtom, useAtomValue, useStore } from '../../store.ts';
import { classNames } from '../../ui/class-names.ts';
import { typesText } from '../../ui/typing.ts';

const NO_RATE = 'No SOL/USD rate is known, so figures are in SOL.';
const units = [
  { value: 'usd', sign: '$', label: 'US dollars' },
  { value: 'sol', sign: '◎', label: 'SOL' },
] as const;

/** Switches market cap and volume between US dollars and SOL. */
export function UnitChoice() {
  const [unit, setUnit] = useAtom(unitAtom);
  const hasNoRate = useAtomValue(hasNoRateAtom);
  return (
    <fieldset className="inline-flex rounded-md border border-line bg-surface p-0.5">
      <legend className="sr-only">Unit of market cap and volume</legend>
      {units.map(({ value, sign, label }) => {
        const isOff = value === 'usd' && hasNoRate;
        return (
          <button
            key={value}
            type="button"
            aria-pressed={unit === value}
            aria-disabled={isOff}
            aria-label={isOff ? `${label}. ${NO_RATE}` : label}
            title={isOff ? NO_RATE : `Market cap and volume in ${label} (u)`}
            onClick={() => !isOff && setUnit(value)}
            className={classNames(
              'h-6 min-w-6 rounded-sm px-1.5 font-medium text-xs transition-colors',
              unit === value ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
              isOff && 'cursor-not-allowed text-faint',
            )}
          >
            {sign}
          </button>
        );
      })}
    </fieldset>
  );
}

/** The switch in the header, also by the key `u`. On narrow screens it is in the display settings of the list. */
export function UnitSwitch() {
  const store = useStore();
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== 'u' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (typesText(event.target)) return;
      event.preventDefault();
      store.set(unitAtom, store.get(unitAtom) === 'usd' ? 'sol' : 'usd');
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [store]);
  return (
    <span className="inline-flex max-md:hidden">
      <UnitChoice />
    </span>
  );
}
