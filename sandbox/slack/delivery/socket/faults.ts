import { setTimeout as sleep } from 'node:timers/promises';
import type { Strike } from '../../../lib/faults/faults.ts';

/** Applies a fault of `socket.connect` before the handshake. @returns the status that refuses the connection, 'drop', or undefined to go on */
export async function beforeUpgrade(
  strike: Strike | undefined,
  gone: AbortSignal,
): Promise<number | 'drop' | undefined> {
  if (!strike) return undefined;
  const { fault, gate } = strike;
  switch (fault.type) {
    case 'drop':
      return 'drop';
    case 'status':
      return fault.status;
    case 'delay':
      await pause(fault.ms, gone);
      return undefined;
    case 'hold':
      if (fault.when === 'before') await gate.pass(gone);
      return undefined;
    case 'delay_answer':
      return undefined;
    default:
      throw new Error(`a fault of type ${fault.type} can't strike a connection that is opened`);
  }
}

/** Applies a fault between the handshake and the greeting. */
export async function beforeGreeting(strike: Strike | undefined, gone: AbortSignal): Promise<void> {
  if (strike?.fault.type === 'delay_answer') await pause(strike.fault.ms, gone);
  if (strike?.fault.type === 'hold' && strike.fault.when === 'after') await strike.gate.pass(gone);
}

async function pause(ms: number, gone: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: gone }).catch(() => undefined);
}
