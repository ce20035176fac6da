import { type ControlRoute, serveControl } from '../lib/control/control.ts';
import type { HttpRequest } from '../lib/http/server.ts';
import { serveWebApi, type WebApiContext } from './api/serve-web-api.ts';
import { serveResponseUrl } from './delivery/response/serve.ts';
import { AUTHORIZE_PATH, serveAuthorize } from './oauth/serve-authorize.ts';

/** Sends requests to the Web API, to the authorize page, to the response_urls, or to the control API. */
export function createRouter(
  context: WebApiContext & { control: readonly ControlRoute[] },
): (request: HttpRequest) => Promise<void> {
  return async (request) => {
    const { target, client } = request;
    if (target.startsWith('/api/')) await serveWebApi(request, context);
    else if (target.startsWith(AUTHORIZE_PATH)) await serveAuthorize(request, context);
    else if (target.startsWith('/control/')) await serveControl(context.control, request);
    else if (/^\/(commands|actions|app)\//.test(target)) await serveResponseUrl(request, context);
    else client.send({ status: 404, body: 'not found' });
  };
}
