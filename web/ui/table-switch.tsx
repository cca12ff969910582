import { type LucideIcon, Table2 } from 'lucide-react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

/** Switches between a chart and the table of its figures. */
export function TableSwitch(props: {
  asTable: boolean;
  onChange: (asTable: boolean) => void;
  /** Icon of the kind of chart. */
  icon: LucideIcon;
  /** Name of the alternative to the table. */
  charts?: string;
}) {
  const { asTable, onChange, icon: ChartIcon, charts = 'a chart' } = props;
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
