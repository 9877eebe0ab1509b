import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { unauthenticated } from '@trunkline/errors';
import { matchesDigest } from '@trunkline/secrets';
import type { Deps } from '../deps.js';
import { createDoor, type Page } from './door.js';
import { documentPage } from './docs.js';

/** The operator API on its own port: a bearer token (decisions 1 and 14). */
export function createOperatorDoor(deps: Deps): RequestListener {
  return createDoor(deps, {
    table: deps.operatorTable,
    pages: new Map<string, Page>([
      ['/readyz', readiness(deps)],
      ['/operator/v1/openapi.json', documentPage(deps.operatorDocument)],
    ]),
    authenticate(request, done) {
      if (matchesDigest(bearerOf(request), deps.operatorDigest)) return done(undefined, OPERATOR);
      done(
        unauthenticated(
          'The operator token is missing or wrong; send it as "Authorization: Bearer <token>".',
        ),
      );
    },
    limit: () => undefined,
    admit: () => undefined,
    ownerOf: () => 'operator',
  });
}

const OPERATOR = { kind: 'operator' } as const;

function bearerOf(request: IncomingMessage): string {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** Ready when a key can be looked up, which takes the accounts service and its database. */
function readiness(deps: Deps): Page {
  return (_request: IncomingMessage, response: ServerResponse) => {
    deps.canAuthenticate().then(
      () => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ready\n'),
      (error: Error) =>
        response
          .writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1' })
          .end(`${error.message}\n`),
    );
  };
}
