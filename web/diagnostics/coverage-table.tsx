import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { count } from '../ui/format.ts';

/** Lower bounds of flagged ÷ potential for the first two looks (specification, section 9). */
const GOOD = 0.9;
const PARTIAL = 0.5;

export type CoverageLook = 'default' | 'secondary' | 'destructive';

const tones: Record<CoverageLook, BadgeTone> = { default: 'accent', secondary: 'neutral', destructive: 'danger' };

/** Returns look and text for `flagged` out of `potential`; null when there is nothing to cover. */
export function coverageOf(flagged: number, potential: number): { look: CoverageLook; text: string } | null {
  if (potential === 0) return null;
  const ratio = flagged / potential;
  const look = ratio >= GOOD ? 'default' : ratio >= PARTIAL ? 'secondary' : 'destructive';
  return { look, text: `${Math.round(ratio * 100)}%` };
}

/** For each list, the share of matching tokens that are on it. */
export function CoverageTable({ stats: { flagged, potential } }: { stats: DetectionStats }) {
  return (
    <Card title="Coverage" flush>
      <table className="w-full text-sm">
        <thead className="text-left text-muted text-xs">
          <tr>
            <th className="px-4 py-2 font-medium">List</th>
            <th className="px-2 py-2 text-right font-medium">Flagged</th>
            <th className="px-2 py-2 text-right font-medium">Potential</th>
            <th className="px-4 py-2 text-right font-medium">Coverage</th>
          </tr>
        </thead>
        <tbody>
          <Row list="Might Run" flagged={flagged.mightRunInDb} potential={potential.meetMightRunCriteria} />
          <Row list="Runner" flagged={flagged.runnerInDb} potential={potential.meetRunnerCriteria} />
        </tbody>
      </table>
    </Card>
  );
}

function Row({ list, flagged, potential }: { list: string; flagged: number; potential: number }) {
  const coverage = coverageOf(flagged, potential);
  return (
    <tr className="border-line border-t tabular-nums">
      <td className="px-4 py-2">{list}</td>
      <td className="px-2 py-2 text-right">{count(flagged)}</td>
      <td className="px-2 py-2 text-right">{count(potential)}</td>
      <td className="px-4 py-2 text-right">
        {coverage === null ? (
          <span className="text-muted">N/A</span>
        ) : (
          <span data-look={coverage.look}>
            <Badge tone={tones[coverage.look]}>{coverage.text}</Badge>
          </span>
        )}
      </td>
    </tr>
  );
}
