import * as RadixMenu from '@radix-ui/react-dropdown-menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';

const itemClass =
  'flex cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-text/8 data-[disabled]:opacity-50';

/** A menu that opens from the button in `trigger`. */
export function Menu(props: {
  trigger: ReactNode;
  side?: 'top' | 'right' | 'bottom';
  /** Whether it is open at first. */
  opened?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  const { trigger, side = 'top', opened = false, onOpenChange, children } = props;
  return (
    <RadixMenu.Root defaultOpen={opened} {...(onOpenChange ? { onOpenChange } : {})}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Portal>
        <RadixMenu.Content
          side={side}
          align="end"
          sideOffset={8}
          collisionPadding={8}
          className="z-50 min-w-48 animate-fade-in rounded-lg border border-line-strong bg-raised p-1 shadow-raised"
        >
          {children}
        </RadixMenu.Content>
      </RadixMenu.Portal>
    </RadixMenu.Root>
  );
}

export function MenuItem(props: { icon?: ReactNode; onSelect: () => void; children: ReactNode }) {
  const { icon, onSelect, children } = props;
  return (
    <RadixMenu.Item className={classNames(itemClass, 'h-8')} onSelect={onSelect}>
      {icon !== undefined && <span className="text-muted">{icon}</span>}
      {children}
    </RadixMenu.Item>
  );
}

/** A small item beside others in a line, with or without a page that it links to. */
export function MenuAction(props: { label: string; href?: string; onSelect?: () => void; children: ReactNode }) {
  const { label, href, onSelect, children } = props;
  return (
    <RadixMenu.Item
      asChild
      aria-label={label}
      className="flex h-7 cursor-default select-none items-center rounded-md border border-line px-2 text-xs outline-none data-[highlighted]:border-accent data-[highlighted]:bg-text/8"
      {...(onSelect === undefined ? {} : { onSelect })}
    >
      {href === undefined ? <div>{children}</div> : <Link href={href}>{children}</Link>}
    </RadixMenu.Item>
  );
}

/** A menu item that links to a page of the app, or with `newTab` to any page, in a new tab. */
export function MenuLink(props: {
  href: string;
  icon?: ReactNode;
  /** Whether it links to the current page. */
  current?: boolean;
  /** As high as its content, rather than one line. */
  tall?: boolean;
  newTab?: boolean;
  children: ReactNode;
}) {
  const { href, icon, current = false, tall = false, newTab = false, children } = props;
  const content = (
    <>
      {icon !== undefined && <span className={current ? 'text-accent' : 'text-muted'}>{icon}</span>}
      {children}
    </>
  );
  return (
    <RadixMenu.Item asChild className={classNames(itemClass, tall ? 'h-auto py-2' : 'h-8')}>
      {newTab ? (
        <a href={href} target="_blank" rel="noreferrer">
          {content}
        </a>
      ) : (
        <Link href={href} {...(current ? { 'aria-current': 'page' as const } : {})}>
          {content}
        </Link>
      )}
    </RadixMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <RadixMenu.Label className="px-2.5 pt-1.5 pb-1 text-muted text-xs">{children}</RadixMenu.Label>;
}

export function MenuLine() {
  return <RadixMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

/** A group of choices, with a tick at the chosen one. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  return (
    <RadixMenu.RadioGroup value={value} aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {options.map((option) => (
        <RadixMenu.RadioItem
          key={option.value}
          value={option.value}
          className={classNames(itemClass, 'h-8')}
          onSelect={() => onChange(option.value)}
        >
          {option.icon !== undefined && <span className="text-muted">{option.icon}</span>}
          <span className="flex-1">{option.label}</span>
          <RadixMenu.ItemIndicator>
            <Check size={16} strokeWidth={1.75} className="text-accent" aria-hidden="true" />
          </RadixMenu.ItemIndicator>
        </RadixMenu.RadioItem>
      ))}
    </RadixMenu.RadioGroup>
  );
}
