/** Runs one bot process, and starts it again when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BotProcess, startBot } from '../../../sandbox/lib/bot-process.ts';

export type Replica = {
  /** Resolves once a process is ready, however often it has to be started. */
  ready(): Promise<void>;
  /** SIGKILL, and started again after a while. */
  kill(downMs: number): Promise<void>;
  /** SIGSTOP for a while, then SIGCONT; `dies`: then SIGKILL. */
  freeze(forMs: number, dies: boolean): Promise<void>;
  /** SIGTERM, after which it must end by itself. */
  stop(): Promise<void>;
  /** The times at which it was dead or frozen. */
  gaps(): readonly Gap[];
  /** Exit codes or signals, with the end of the log, of processes that were ready and that this run did not end. */
  unexpectedExits(): readonly string[];
  /** The logs of all its processes. */
  log(): string;
};

/** In epoch milliseconds. */
export type Gap = { from: number; to: number };

const PAUSE_BEFORE_RESTART_MS = 200;

export function runReplica(env: Record<string, string>, entry: string, args: readonly string[]): Replica {
  const processes: BotProcess[] = [];
  const gaps: Gap[] = [];
  const ended: string[] = [];
  let expected: BotProcess | undefined;
  let bot = launch();

  function launch(): BotProcess {
    const launched = startBot(entry, env, [...args]);
    processes.push(launched);
    const killAtExit = () => void launched.child.kill('SIGKILL');
    process.once('exit', killAtExit);
    let wasReady = false;
    void launched.ready.then(
      () => (wasReady = true),
      () => {},
    );
    void launched.ended.then(async (end) => {
      process.off('exit', killAtExit);
      if (launched === expected) return;
      // A process that cannot reach its storage ends before it is ready, and is started again.
      if (wasReady) ended.push(`${end}: ${launched.output().slice(-1_000)}`);
      await sleep(PAUSE_BEFORE_RESTART_MS);
      if (launched !== expected) bot = launch();
    });
    return launched;
  }

  async function ready(): Promise<void> {
    for (;;) {
      const waitedFor = bot;
      if (
        await waitedFor.ready.then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(PAUSE_BEFORE_RESTART_MS);
    }
  }

  async function replace(downMs: number): Promise<void> {
    expected = bot;
    await bot.kill('SIGKILL');
    await sleep(downMs);
    bot = launch();
    await ready();
  }

  async function duringGap(act: () => Promise<void>): Promise<void> {
    const gap = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    await act();
    gap.to = Date.now();
  }

  return {
    ready,
    kill: (downMs) => duringGap(() => replace(downMs)),
    freeze: (forMs, dies) =>
      duringGap(async () => {
        bot.child.kill('SIGSTOP');
        await sleep(forMs);
        if (dies) await replace(0);
        else bot.child.kill('SIGCONT');
      }),
    stop: async () => {
      expected = bot;
      const timeout = sleep(STOP_MS, undefined, { ref: false }).then(() => bot.kill('SIGKILL'));
      bot.child.kill('SIGTERM');
      await Promise.race([bot.ended, timeout]);
    },
    gaps: () => gaps,
    unexpectedExits: () => ended,
    log: () => processes.map(({ output }) => output()).join('\n--- started again ---\n'),
  };
}

const STOP_MS = 40_000;
