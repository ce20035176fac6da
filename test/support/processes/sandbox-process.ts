/** `npm run sandbox`, as a process of its own. */
import { onTestFinished } from 'vitest';
import { startBot } from '../../../sandbox/lib/bot-process.ts';

/** @param args what stands behind `npm run sandbox --` @returns its address, and the process */
export async function startSandbox(...args: string[]) {
  const sandbox = startBot('sandbox/main.ts', { BROWSER: 'none' }, ['--port', '0', ...args], 'Ready: http');
  onTestFinished(async () => {
    if (sandbox.child.exitCode === null) await sandbox.kill('SIGTERM');
  });
  await sandbox.ready;
  const address = /Ready: (\S+)/.exec(sandbox.output())?.[1] ?? '';
  return { ...sandbox, address };
}
