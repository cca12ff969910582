import { type LucideIcon, Table2 } from 'lucide-react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

/** Shows the figures behind a chart as a table, and back. */
export function TableSwitch({
  asTable,
  onChange,
  icon: ChartIcon,
  charts = 'a chart',
}: {
  asTable: boolean;
  onChange: (asTable: boolean) => void;
  /** Of the kind of chart. */
  icon: LucideIcon;
  /** What is shown otherwise, in words. */
  charts?: string;
}) {
  const Icon = asTable ? ChartIcon : Table2;
  return (
    <Tooltip content={asTable ? `Show as ${charts}` : 'Show as a table'}>
      <Button
        size="icon"
        variant="ghost"
        aria-pressed={asTable}
        aria-label="Show as a table"
        onClick={() => onChange(!asTable)}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </Tooltip>
  );
}
