import { randomBytes } from 'node:crypto';
import type { Faults } from '../../lib/faults/faults.ts';
import type { PostResult } from '../../lib/http/client.ts';
import type { Journal } from '../../lib/http/journal.ts';
import { jsonOrText } from '../../lib/json.ts';
import { APP } from '../world/app/installations.ts';
import type { AppRequest, Prepared, Transport } from './app-request.ts';
import type { HttpTransport, RawRequest } from './http-transport.ts';

/** The address at which the app receives requests of Slack: its request URL, or the connections that it opens itself. */
export type AppAddress = { requestUrl: string } | { socketMode: true };

/** The connection from Slack to the app. */
export type AppConnection = {
  /** Sets the address; may be called again, for example after a restart of the app. */
  connect(address: AppAddress): void;
  /** Sends a request and waits for its acknowledgement, up to Slack's time-out. */
  send(request: AppRequest): Promise<PostResult>;
  /** Sends any request over HTTP. Throws if the app is on Socket Mode. */
  sendRaw(request: RawRequest): Promise<PostResult>;
};

/** Creates a connection without an address yet. */
export function createAppConnection(options: {
  journal: Journal;
  faults: Faults;
  http: HttpTransport;
  sockets: Transport;
}): AppConnection {
  const { journal, faults, http, sockets } = options;
  let address: Partial<{ requestUrl: string; socketMode: true }> = {};

  async function send(about: Pick<AppRequest, 'kind' | 'name'>, prepared: Prepared): Promise<PostResult> {
    const { kind, name } = about;
    const underway = journal.begin({ from: 'slack', to: 'bot', kind, name, request: prepared.shown });
    const result = withFault(await prepared.send(), about, faults);
    const response = result.ended === 'answered' && { status: result.status, body: jsonOrText(result.body) };
    underway.end({ ended: result.ended, ...(response && { response }) });
    return result;
  }

  return {
    connect: (next) => {
      address = next;
    },
    send: (request) =>
      send(request, address.socketMode ? sockets(request) : http.prepare(request, address.requestUrl)),
    sendRaw: (raw) => {
      if (address.socketMode)
        throw new Error('the app is on Socket Mode: there is no URL to send requests to');
      return send({ kind: 'interactivity', name: 'raw' }, http.prepareRaw(raw, address.requestUrl));
    },
  };
}

/** Loses the answer if that is ordered: the app has processed the request, and Slack waits until its time-out. */
function withFault(result: PostResult, about: Pick<AppRequest, 'kind' | 'name'>, faults: Faults): PostResult {
  const strike = faults.take('app.answer', about);
  if (!strike) return result;
  const { type } = strike.fault;
  if (type !== 'unanswered') throw new Error(`a fault of type ${type} can't strike an answer of the app`);
  return { ended: 'timeout', reason: 'the answer was lost' };
}

/** Sends Slack's url_verification challenge. @returns whether the app sent it back */
export async function verifyRequestUrl(connection: AppConnection): Promise<boolean> {
  const challenge = randomBytes(24).toString('hex');
  const body = { type: 'url_verification', token: APP.verificationToken, challenge };
  const result = await connection.send({ kind: 'event', name: 'url_verification', encoding: 'json', body });
  return result.ended === 'answered' && result.status === 200 && result.body.includes(challenge);
}
