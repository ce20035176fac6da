import { inspect } from 'node:util';
import { Client, type Dispatcher } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EarlyAnswerError, exchange } from '../../src/http/exchange.ts';
import { answer, hostileService } from '../order-service/hostile-service.ts';

const LIMITS = { deadlineMs: 10_000, maxBytes: 1_000 };
const CALL = { method: 'GET', path: '/', headers: {} } as const;

const EARLY = {
  type: 'failed',
  sent: true,
  timedOut: false,
  head: undefined,
  cause: expect.any(EarlyAnswerError),
};

/** A dispatcher that plays the part of undici. */
function playing(play: (handler: Required<Dispatcher.DispatchHandler>) => void) {
  const aborted: Error[] = [];
  const controller = {
    abort: (reason: Error) => aborted.push(reason),
  } as unknown as Dispatcher.DispatchController;
  const dispatch = (_: unknown, handler: unknown) => {
    play(handler as Required<Dispatcher.DispatchHandler>);
    return true;
  };
  return { dispatcher: { dispatch } as unknown as Dispatcher, controller, aborted };
}

test.each([201, 400, 401, 429])(
  'a whole answer (%i) that comes before its request is written does not count: the call may have been received',
  async (status) => {
    const { dispatcher, controller, aborted } = playing((handler) => {
      handler.onResponseStart(controller, status, {}, 'X');
      handler.onResponseData(controller, Buffer.from('{}'));
      handler.onResponseEnd(controller, {});
    });
    expect(await exchange(dispatcher, CALL, LIMITS)).toEqual(EARLY);
    expect(aborted).toHaveLength(1);
  },
);

test('a request whose answer came before it is not written any more', async () => {
  const begun = Promise.withResolvers<() => void>();
  const { dispatcher, controller } = playing((handler) => {
    handler.onResponseStart(controller, 201, {}, 'X');
    begun.resolve(() => handler.onRequestStart(controller, {}));
  });
  expect(await exchange(dispatcher, CALL, LIMITS)).toEqual(EARLY);
  expect(await begun.promise).toThrow();
});

test('a call without an answer gives its connection up at its deadline', async () => {
  const { dispatcher, controller, aborted } = playing((handler) => handler.onRequestStart(controller, {}));
  const failed = { type: 'failed', sent: true, timedOut: true };
  expect(await exchange(dispatcher, CALL, { ...LIMITS, deadlineMs: 1 })).toMatchObject(failed);
  expect(aborted).toHaveLength(1);
});

test('an answer in time leaves no timer: a process that has nothing else to do may end', async () => {
  const { dispatcher, controller } = playing((handler) => {
    handler.onRequestStart(controller, {});
    handler.onResponseStart(controller, 204, {}, 'X');
    handler.onResponseEnd(controller, {});
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await exchange(dispatcher, CALL, LIMITS);
  expect(vi.getTimerCount()).toBe(0);
});

test('an answer to a request that was written counts', async () => {
  const { dispatcher, controller } = playing((handler) => {
    handler.onRequestStart(controller, {});
    handler.onResponseStart(controller, 201, {}, 'X');
    handler.onResponseData(controller, Buffer.from('{}'));
    handler.onResponseEnd(controller, {});
  });
  expect(await exchange(dispatcher, CALL, LIMITS)).toEqual({
    type: 'answered',
    answer: { status: 201, headers: {}, body: '{}' },
  });
});

test('an answer that ends before it began does not count: the call may have been received', async () => {
  const { dispatcher, controller } = playing((handler) => {
    handler.onRequestStart(controller, {});
    handler.onResponseEnd(controller, {});
  });
  expect(await exchange(dispatcher, CALL, LIMITS)).toEqual({
    ...{ type: 'failed', sent: true, timedOut: false, head: undefined },
    cause: new Error('The answer ended before it began.'),
  });
});

test('an answer that breaks HTTP fails without what it held', async () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const { url } = await hostileService((socket) => socket.write(`${head}zz{"name":"Jane"}`));
  const client = new Client(url.origin);
  onTestFinished(() => client.destroy());
  const result = await exchange(client, CALL, LIMITS);
  expect(result).toMatchObject({ type: 'failed', sent: true, cause: { name: 'HTTPParserError' } });
  expect(inspect(result)).not.toContain('Jane');
});

test('a second answer in the packet of the first one is not that of a request which waits in the queue', async () => {
  const { url, received } = await hostileService((socket) =>
    socket.write(Buffer.concat([answer(200, 'first'), answer(200, 'second')])),
  );
  const client = new Client(url.origin);
  onTestFinished(() => client.destroy());
  const both = [exchange(client, CALL, LIMITS), exchange(client, { ...CALL, path: '/queued' }, LIMITS)];
  const [first, second] = await Promise.all(both);
  expect(first).toMatchObject({ type: 'answered', answer: { body: 'first' } });
  // It has the first answer of a connection of its own.
  expect(second).toMatchObject({ type: 'answered', answer: { body: 'first' } });
  expect(received).toEqual([expect.stringContaining('GET / '), expect.stringContaining('GET /queued ')]);
});
