import type { PostResult } from '../../lib/http/client.ts';
import type { Journal } from '../../lib/http/journal.ts';
import { jsonOrText } from '../../lib/json.ts';
import type { AppRequest, Prepared, Transport } from './app-request.ts';
import type { HttpTransport, RawRequest } from './http-transport.ts';

/** Where the app takes what Slack sends: at its request URL, or over the connections that it opens itself. */
export type AppAddress = { requestUrl: string } | { socketMode: true };

/** The way from Slack to the app. */
export type AppConnection = {
  /** May be changed at any time, say after the app was started again. */
  connect(address: AppAddress): void;
  /** Sends a request and waits for its acknowledgement, as long as Slack does. */
  send(request: AppRequest): Promise<PostResult>;
  /** Sends anything over HTTP. Throws where the app is on Socket Mode. */
  sendRaw(request: RawRequest): Promise<PostResult>;
};

/** A connection to an app that is not there yet. */
export function createAppConnection(options: {
  journal: Journal;
  http: HttpTransport;
  sockets: Transport;
}): AppConnection {
  const { journal, http, sockets } = options;
  let address: Partial<{ requestUrl: string; socketMode: true }> = {};

  async function send(about: Pick<AppRequest, 'kind' | 'name'>, prepared: Prepared): Promise<PostResult> {
    const { kind, name } = about;
    const underway = journal.begin({ from: 'slack', to: 'bot', kind, name, request: prepared.shown });
    const result = await prepared.send();
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
