import type { Connection } from 'mongoose';
import { expect } from 'vitest';
import { z } from 'zod';

/** Query plans that MongoDB uses in a test. */
export interface Explained {
  /**
   * Stage names of every plan that the queries of `run` use, outermost first; with `changes` also of the plans by which
   * updates find what they change.
   */
  plans(run: () => Promise<unknown>, options?: { changes: boolean }): Promise<string[][]>;
}

/** Watches a connection that was opened with `monitorCommands`. */
export function explainer(connection: Connection): Explained {
  /** The commands that were sent, as the driver saw them. */
  const sent: Record<string, unknown>[] = [];
  connection.getClient().on('commandStarted', ({ command, commandName }) => {
    const collection: unknown = command[commandName];
    if (typeof collection === 'string') sent.push(command);
  });

  async function explain(command: Record<string, unknown>): Promise<string[]> {
    const reading = ['find', 'filter', 'sort', 'limit', 'aggregate', 'pipeline', 'cursor', 'hint'];
    const changing = ['findAndModify', 'query', 'update', 'updates', 'new'];
    const known = [...reading, ...changing];
    const plain = Object.fromEntries(Object.entries(command).filter(([key]) => known.includes(key)));
    const plan = await connection.db?.command({ explain: plain, verbosity: 'queryPlanner' });
    return [...stages(plan)];
  }

  return {
    async plans(run, { changes } = { changes: false }) {
      sent.length = 0;
      await run();
      const asked = sent.filter((command) => 'find' in command || 'aggregate' in command);
      const changed = changes ? sent.filter((command) => 'findAndModify' in command || 'updates' in command) : [];
      return Promise.all([...asked, ...changed].map(explain));
    },
  };
}

/** Expects that there are plans (a missing collection has none), all by an index and, unless `sorts`, without sorting. */
export function expectIndexed(plans: readonly string[][], { sorts = false } = {}): void {
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan.length).toBeGreaterThan(0);
    expect(plan).not.toContain('COLLSCAN');
    if (!sorts) expect(plan).not.toContain('SORT');
  }
}

function* stages(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* stages(item);
  else if (typeof node === 'object' && node !== null) {
    const stage = z.object({ stage: z.string() }).safeParse(node);
    if (stage.success) yield stage.data.stage;
    for (const [key, value] of Object.entries(node)) if (key !== 'rejectedPlans') yield* stages(value);
  }
}
