import type { Run } from '../../../common/maintenance/model.ts';

/** A running cleanup of mock tokens. */
export function run(fields: Partial<Run> = {}): Run {
  return {
    id: 'run-1',
    action: 'cleanup-mock-tokens',
    state: 'running',
    by: 'bob',
    startedAt: '2026-02-03T04:05:06.000Z',
    endedAt: null,
    done: 12,
    total: 40,
    message: 'Removed 12 tokens so far',
    ...fields,
  };
}
