import * as RadixTabs from '@radix-ui/react-tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { count as writeCount } from './format.ts';

interface Tab {
  id: string;
  label: string;
  /** Number of items; null while unknown, undefined where counting makes no sense. */
  count?: number | null;
  /** Whether it can't be opened now. */
  disabled?: boolean;
  content: ReactNode;
}

/** Tabs with counts. Controlled with `tab` and `onTab`; without them the first one opens. Only the open tab is mounted. */
export function Tabs(props: {
  /** Accessible name of the tabs. */
  label: string;
  tabs: readonly Tab[];
  tab?: string;
  onTab?: (id: string) => void;
  /** Whether the tabs share the whole width. */
  fill?: boolean;
  /** Stands at the right of the tabs. */
  actions?: ReactNode;
  className?: string;
  contentClassName?: string;
}) {
  const { label, tabs, tab, onTab, fill = false, actions, className, contentClassName = 'pt-3' } = props;
  const first = tabs[0]?.id;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The tab may come from the address, without a focus that scrolls to it.
    if (tab !== undefined) showChosen(list.current);
  }, [tab]);
  return (
    <RadixTabs.Root
      {...(tab === undefined ? (first === undefined ? {} : { defaultValue: first }) : { value: tab })}
      {...(onTab ? { onValueChange: onTab } : {})}
      className={classNames('min-w-0', className)}
    >
      <div className="flex items-center gap-2 border-line border-b">
        <RadixTabs.List
          ref={list}
          aria-label={label}
          className="scroll-quiet flex min-w-0 flex-1 gap-1 overflow-x-auto overflow-y-hidden"
        >
          {tabs.map((one) => (
            <TabTrigger key={one.id} tab={one} fill={fill} />
          ))}
        </RadixTabs.List>
        {actions}
      </div>
      {tabs.map((one) => (
        <RadixTabs.Content
          key={one.id}
          value={one.id}
          className={classNames('focus-visible:outline-offset-4', contentClassName)}
        >
          {one.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

function TabTrigger({ tab: { id, label, count, disabled }, fill }: { tab: Tab; fill: boolean }) {
  return (
    <RadixTabs.Trigger
      value={id}
      disabled={disabled === true}
      // On narrow screens the list scrolls, and the chosen tab must be fully visible.
      onFocus={(event) => event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
      // Radix focuses a pressed tab by script, for which browsers draw the ring of the keyboard on a fresh page.
      onPointerDown={(event) => event.currentTarget.setAttribute('data-pressed', '')}
      onKeyDown={(event) => event.currentTarget.removeAttribute('data-pressed')}
      onBlur={(event) => event.currentTarget.removeAttribute('data-pressed')}
      className={classNames(
        'group -mb-px inline-flex h-10 short:h-8 shrink-0 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-muted text-sm transition-colors hover:text-text focus-visible:-outline-offset-2 data-pressed:outline-0 data-[state=active]:border-accent data-[state=active]:text-text disabled:cursor-not-allowed disabled:opacity-50 disabled:hover:text-muted',
        fill && 'flex-1 justify-center',
      )}
    >
      {label}
      {count !== undefined && (
        <span className="min-w-5 rounded-full bg-text/8 px-1.5 text-center text-2xs text-muted tabular-nums group-data-[state=active]:bg-accent/12 group-data-[state=active]:text-accent">
          {writeCount(count)}
        </span>
      )}
    </RadixTabs.Trigger>
  );
}

/** Scrolls the list, and nothing around it, until the chosen tab is fully visible. */
function showChosen(list: HTMLElement | null): void {
  const chosen = list?.querySelector('[data-state=active]');
  if (list === null || !chosen) return;
  const [room, one] = [list.getBoundingClientRect(), chosen.getBoundingClientRect()];
  if (one.right > room.right) list.scrollLeft += one.right - room.right;
  else if (one.left < room.left) list.scrollLeft -= room.left - one.left;
}
