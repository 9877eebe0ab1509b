import type Joi from 'joi';
import { ERROR_CODES, type ErrorCode } from '@trunkline/errors';
import { statusOf } from './error-response.js';
import type { AnyRoute, Audience, Method, Tag } from './route.js';

type Json = Record<string, unknown>;

/** One operation as the gateway needs it: where it lives, and its part of the OpenAPI document. Plain JSON. */
export interface ApiOperation {
  service: string;
  method: Method;
  path: string;
  audience: Audience;
  hasBody: boolean;
  tag: Tag;
  /** OpenAPI 3.1 operation object. */
  openapi: Json;
  /** Named schemas that `openapi` refers to. */
  schemas: Record<string, Json>;
}

/** What every operation may answer besides its own errors. */
const ALWAYS: readonly ErrorCode[] = [
  'INVALID_CREDENTIALS',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const ACCOUNT: readonly ErrorCode[] = ['FORBIDDEN', 'ACCOUNT_SUSPENDED'];
const WITH_BODY: readonly ErrorCode[] = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const IDEMPOTENT_POST: readonly ErrorCode[] = [
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'VALIDATION_FAILED',
];

/** Route definitions → plain descriptions that can be written to a file, sent, and merged. */
export function describeRoutes(service: string, routes: readonly AnyRoute[]): ApiOperation[] {
  return routes.map((route) => {
    const schemas: Record<string, Json> = {};
    return {
      service,
      method: route.method,
      path: route.path,
      audience: route.audience,
      hasBody: route.body !== undefined,
      tag: route.tag,
      openapi: operationObject(route, schemas),
      schemas,
    };
  });
}

function operationObject(route: AnyRoute, schemas: Record<string, Json>): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag.name],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: jsonSchema(route.body, schemas, 'input'),
            ...(route.bodyExample !== undefined && { example: route.bodyExample }),
          },
        },
      },
    }),
    responses: { ...successes(route, schemas), ...failures(route) },
  };
}

function successes(route: AnyRoute, schemas: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, response]) => [
      status,
      {
        description: response.description,
        headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
        ...(response.schema && {
          content: {
            'application/json': {
              schema: jsonSchema(response.schema, schemas, 'output'),
              ...(response.example !== undefined && { example: response.example }),
            },
          },
        }),
      },
    ]),
  );
}

/** One response object a status; several codes of one status are told apart by their examples. */
function failures(route: AnyRoute): Json {
  const codes = new Set<ErrorCode>([
    ...route.errors,
    ...ALWAYS,
    ...(route.audience === 'account' ? ACCOUNT : []),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.body ? WITH_BODY : []),
    ...(route.query ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.method === 'post' ? IDEMPOTENT_POST : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf(ERROR_CODES[code].kind);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      String(status),
      {
        description: all.map((code) => `\`${code}\`: ${ERROR_CODES[code].when}`).join('\n\n'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(all.map((code) => [code, { value: errorExample(code) }])),
          },
        },
      },
    ]),
  );
}

function errorExample(code: ErrorCode): Json {
  const details = code === 'VALIDATION_FAILED' && {
    details: [{ field: 'name', message: 'name is required' }],
  };
  const message = details ? 'name is required' : ERROR_CODES[code].when;
  return { error: { code, message, ...details, request_id: '0b7e6d7e-4a3b-4d21-9d0c-5f1f5b2f6a11' } };
}

function pathParameters(route: AnyRoute): Json[] {
  const rules = route.params ? propertiesOf(route.params) : {};
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: rules[name] ?? { type: 'string' },
  }));
}

function queryParameters(route: AnyRoute): Json[] {
  if (!route.query) return [];
  return Object.entries(propertiesOf(route.query)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(typeof description === 'string' && { description }),
    schema,
  }));
}

function headerParameters(route: AnyRoute): Json[] {
  return [
    ...(route.audience === 'account' ? [{ $ref: '#/components/parameters/TenantId' }] : []),
    ...(route.method === 'post' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function propertiesOf(schema: Joi.ObjectSchema): Record<string, Json> {
  return (schemaOf(schema, 'input').properties ?? {}) as Record<string, Json>;
}

/** A schema with an `.id('Carrier')` becomes a named component; an array of such refers to it. */
function jsonSchema(schema: Joi.Schema, schemas: Record<string, Json>, direction: 'input' | 'output'): Json {
  const flags = (schema as unknown as { _flags: { id?: string } })._flags;
  const rendered = schemaOf(schema, direction);
  if (flags.id) {
    schemas[flags.id] = rendered;
    return { $ref: `#/components/schemas/${flags.id}` };
  }
  const [item] = (schema as unknown as { $_terms: { items?: Joi.Schema[] } }).$_terms.items ?? [];
  return item ? { ...rendered, items: jsonSchema(item, schemas, direction) } : rendered;
}

interface StandardJsonSchema {
  '~standard': { jsonSchema: Record<'input' | 'output', (options: { target: string }) => Json> };
}

function schemaOf(schema: Joi.Schema, direction: 'input' | 'output'): Json {
  return (schema as unknown as StandardJsonSchema)['~standard'].jsonSchema[direction]({
    target: 'draft-2020-12',
  });
}
