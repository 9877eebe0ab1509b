import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type Joi from 'joi';
import { backends } from '@trunkline/embedded';
import { buildOpenApiDocument, describeRoutes, type AnyRoute, type Audience } from '@trunkline/http';

const operations = backends.flatMap(({ name, routes }) => describeRoutes(name, routes));
const documentOf = (audience: Audience) =>
  buildOpenApiDocument(operations, {
    title: 'Trunkline',
    version: '1.0.0',
    description: 'x',
    serverUrl: 'https://api.trunkline.example',
    audience,
  });
const routes: AnyRoute[] = backends.flatMap((service) => [...service.routes]);

describe.each(['account', 'operator'] as const)('the API document for the %s', (audience) => {
  const lint = (document: object): string[] => {
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(__dirname, 'lint-openapi.mjs')], {
      input: JSON.stringify(document),
      encoding: 'utf8',
    });
    if (!stdout) throw new Error(stderr);
    return JSON.parse(stdout) as string[];
  };

  test('passes the linter without a problem', () => {
    expect(lint(documentOf(audience))).toEqual([]);
  });

  test('the linter does find problems', () => {
    const { paths: _paths, ...broken } = documentOf(audience);
    expect(lint({ ...broken, paths: { '/x': { get: { responses: {} } } } })).not.toEqual([]);
  });
});

test('operation ids are unique', () => {
  const ids = routes.map((route) => route.operationId);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});

test('no path and method is claimed twice', () => {
  const claims = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(claims.filter((claim, i) => claims.indexOf(claim) !== i)).toEqual([]);
});

test('public operations live under /v1, operator operations under /operator/v1 or, in the sandbox, /sandbox/v1', () => {
  for (const { audience, path } of routes)
    expect(path).toMatch(audience === 'account' ? /^\/v1\// : /^\/(operator|sandbox)\/v1\//);
});

describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (_id, route) => {
  test('has a summary, and every answer with a body has a schema and an example that fits it', () => {
    expect(route.summary.length).toBeGreaterThan(3);
    for (const [status, response] of Object.entries(route.responses)) {
      if (status === '204') expect(response?.schema).toBeUndefined();
      else {
        expect(response?.example).toBeDefined();
        expect(
          (response?.schema as Joi.Schema).validate(response?.example, { convert: false }).error,
        ).toBeUndefined();
      }
    }
  });

  test('a body has an example that it accepts', () => {
    if (!route.body) return;
    expect(route.bodyExample).toBeDefined();
    expect(route.body.validate(route.bodyExample, { convert: false }).error).toBeUndefined();
  });

  test('every path parameter but the own Auth ID has a form', () => {
    const names = [...route.path.matchAll(/:(\w+)/g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'auth_id');
    const rules = route.params?.describe().keys ?? {};
    for (const name of names) expect(rules).toHaveProperty(name as string);
  });
});
