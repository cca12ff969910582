import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useChangeList } from './change-list.tsx';
import { listLooks } from './list-looks.tsx';
import { useMarks } from './lists.ts';

/** Shows Watch, Whitelist and Blacklist on a token's page. */
export function ListButtons({ address, className }: { address: string; className?: string }) {
  const marks = useMarks(address);
  const change = useChangeList();
  return (
    <fieldset className={classNames('flex min-w-0 gap-2', className)}>
      <legend className="sr-only">Your lists</legend>
      {listLooks.map(({ list, verb, icon: Icon, hint }) => {
        const on = marks?.[list] === true;
        return (
          <Button
            key={list}
            title={hint}
            disabled={marks === null}
            aria-pressed={on}
            onClick={() => change({ list, address, on: !on })}
            className={classNames(
              'max-sm:flex-1 max-sm:px-2',
              list === 'black'
                ? 'aria-pressed:border-down/50 aria-pressed:bg-down/10 aria-pressed:text-down'
                : 'aria-pressed:border-accent/50 aria-pressed:bg-accent/10 aria-pressed:text-accent',
            )}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {verb}
          </Button>
        );
      })}
    </fieldset>
  );
}
