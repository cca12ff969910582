import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import type { DataColumn } from '../ui/data-table.tsx';
import { count } from '../ui/format.ts';
import { TableCard } from '../ui/table-card.tsx';

/** Lower bounds of flagged ÷ potential for the first two looks (specification, section 9). */
const GOOD = 0.9;
const PARTIAL = 0.5;

type CoverageLook = 'default' | 'secondary' | 'destructive';

const tones: Record<CoverageLook, BadgeTone> = { default: 'accent', secondary: 'neutral', destructive: 'danger' };

/** Returns look and text for `flagged` out of `potential`; null when there is nothing to cover. */
export function coverageOf(flagged: number, potential: number): { look: CoverageLook; text: string } | null {
  if (potential === 0) return null;
  const ratio = flagged / potential;
  const look = ratio >= GOOD ? 'default' : ratio >= PARTIAL ? 'secondary' : 'destructive';
  return { look, text: `${Math.round(ratio * 100)}%` };
}

interface ListCoverage {
  list: string;
  flagged: number;
  potential: number;
}

const columns: readonly DataColumn<ListCoverage>[] = [
  { id: 'list', label: 'List', cell: ({ list }) => list },
  { id: 'flagged', label: 'Flagged', align: 'right', cell: ({ flagged }) => count(flagged) },
  { id: 'potential', label: 'Potential', align: 'right', cell: ({ potential }) => count(potential) },
  { id: 'coverage', label: 'Coverage', align: 'right', cell: (row) => <CoverageBadge {...row} /> },
];

/** For each list, the share of matching tokens that are on it. */
export function CoverageTable({ stats: { flagged, potential } }: { stats: DetectionStats }) {
  const rows: ListCoverage[] = [
    { list: 'Might Run', flagged: flagged.mightRunInDb, potential: potential.meetMightRunCriteria },
    { list: 'Runner', flagged: flagged.runnerInDb, potential: potential.meetRunnerCriteria },
  ];
  return <TableCard title="Coverage" columns={columns} rows={rows} rowId={({ list }) => list} />;
}

function CoverageBadge({ flagged, potential }: ListCoverage) {
  const coverage = coverageOf(flagged, potential);
  if (coverage === null) return <span className="text-muted">N/A</span>;
  return (
    <span data-look={coverage.look}>
      <Badge tone={tones[coverage.look]}>{coverage.text}</Badge>
    </span>
  );
}
