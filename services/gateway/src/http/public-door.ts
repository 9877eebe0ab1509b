import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { forbidden, rateLimited } from '@trunkline/errors';
import type { AccountCaller, Caller } from '@trunkline/http';
import type { Deps } from '../deps.js';
import { ownsPath, type TableEntry } from '../domain/route-table.js';
import { createAuthenticate } from './authenticate.js';
import { createDoor } from './door.js';
import { docsPages } from './docs.js';

/** The public API: HTTP Basic with an API key (specification, Authentication). */
export function createPublicDoor(deps: Deps): RequestListener {
  return createDoor(deps, {
    table: deps.publicTable,
    pages: docsPages(deps.publicDocument, '/v1/openapi.json'),
    authenticate: createAuthenticate(deps.keys),
    limit: (caller, response) => limit(deps, caller as AccountCaller, response),
    admit: (caller, entry, segments, request) => admit(caller as AccountCaller, entry, segments, request),
    ownerOf: (caller: Caller) => (caller as AccountCaller).auth_id,
  });
}

function limit({ rateLimiter, config }: Deps, caller: AccountCaller, response: ServerResponse): void {
  const admission = rateLimiter?.take(caller.auth_id);
  if (!admission) return;
  response.setHeader('RateLimit-Limit', String(config.rateLimitBurst));
  response.setHeader('RateLimit-Remaining', String(admission.remaining));
  response.setHeader('RateLimit-Reset', String(admission.resetSeconds));
  if (!admission.allowed) throw rateLimited(admission.retryAfterSeconds);
}

function admit(
  caller: AccountCaller,
  entry: TableEntry,
  segments: readonly string[],
  request: IncomingMessage,
): void {
  if (!ownsPath(entry, segments, caller.auth_id)) {
    throw forbidden('FORBIDDEN', 'The Auth ID in the path is not the one of the API key.');
  }
  const tenant = request.headers['x-tenant-id'];
  if (tenant !== undefined && tenant !== caller.tenant_id) {
    throw forbidden('FORBIDDEN', 'X-Tenant-ID is not the tenant of the API key.');
  }
}
