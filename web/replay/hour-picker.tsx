import type { ReplayHour } from '../../common/replay/model.ts';
import { SelectField } from '../ui/select.tsx';
import { coverage, gapSpans, gapsText, hourText, timeText } from './hours.ts';

/** The recorded hours, with the coverage and the gaps of the chosen one. */
export function HourPicker({
  hours,
  hour,
  onHour,
}: {
  hours: readonly ReplayHour[];
  hour: ReplayHour;
  onHour: (hour: string) => void;
}) {
  const options = hours.map((one) => ({
    value: one.hour,
    label: `${hourText(one.hour)} · ${coverage(one)} % recorded`,
  }));
  return (
    <div className="flex flex-col gap-3">
      <SelectField label="Recorded hour" value={hour.hour} options={options} onChange={onHour} />
      <Coverage hour={hour} />
    </div>
  );
}

function Coverage({ hour }: { hour: ReplayHour }) {
  const { from, to, gaps, changes } = hour;
  const end = (Date.parse(to) - Date.parse(`${hour.hour}:00:00.000Z`)) / 3_600_000;
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="img"
        aria-label={`${coverage(hour)} % of the hour is recorded`}
        className="relative h-2 overflow-hidden rounded-sm bg-line"
      >
        <span className="absolute inset-y-0 left-0 bg-accent" style={{ width: `${100 * Math.min(1, end)}%` }} />
        {gapSpans(hour).map((gap) => (
          <span
            key={gap.from}
            className="absolute inset-y-0 bg-line-strong"
            style={{ left: `${100 * gap.from}%`, width: `${100 * (gap.to - gap.from)}%` }}
          />
        ))}
      </div>
      <p className="text-muted text-xs">
        {timeText(from)} to {timeText(to)} UTC · {changes.toLocaleString('en-US')} changes
        {gaps.length > 0 && ` · not recorded: ${gapsText(gaps)}`}
      </p>
    </div>
  );
}
