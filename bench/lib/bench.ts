/** Runs a row: its contenders are measured side by side, in rounds, and compared round by round. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedisServer } from '../../test/support/redis/redis-server.ts';

/** One comparison. Each list has a figure for each round. */
export type Line = {
  what: string;
  unit: string;
  ours: number[];
  /** Undefined if there is nothing to compare with: then only the figure is shown. */
  anchor: { name: string; figures: number[] } | undefined;
};

export type Options = {
  rounds: number;
  /** The time that each contender is under load in each round. */
  seconds: number;
};

export type Bench = Options & {
  /** A folder for databases and logs, which is removed after the row. */
  folder: string;
  /** A Redis of the bench's own, which writes each command to its file before it answers. */
  redis(): Promise<RedisServer>;
  /** Registers what ends something after the row. */
  defer(end: () => Promise<void>): void;
  progress(text: string): void;
};

export type Row = { name: string; measure(bench: Bench): Promise<Line[]> };

/** Runs one row with a folder and a Redis of its own. */
export async function runRow(row: Row, options: Options, progress: (text: string) => void): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countermand-bench-'));
  const ends: (() => Promise<void>)[] = [];
  let started: Promise<RedisServer> | undefined;
  const start = async () => {
    const server = await startRedisServer();
    ends.unshift(server.stop);
    return server;
  };
  const redis = () => {
    started ??= start();
    return started;
  };
  try {
    return await row.measure({
      ...options,
      folder,
      redis,
      defer: (end) => void ends.push(end),
      progress: (text) => progress(`${row.name}: ${text}`),
    });
  } finally {
    for (const end of ends.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures contenders in turn, round after round, so that whatever else the machine does meets all of them. A round before
 * the first warms them up, and is not counted.
 */
export async function inRounds<Name extends string, Figures>(
  { rounds, progress }: Pick<Bench, 'rounds' | 'progress'>,
  contenders: Record<Name, () => Promise<Figures>>,
  warmUp = 1,
): Promise<Record<Name, Figures[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figures[]>;
  for (let round = 1 - warmUp; round <= rounds; round += 1) {
    // The order alternates, so that no contender always comes first, or always after the same one.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      progress(round < 1 ? `${name}, warming up` : `${name}, round ${round} of ${rounds}`);
      const figures = await contenders[name]();
      if (round >= 1) results[name].push(figures);
    }
  }
  return results;
}
