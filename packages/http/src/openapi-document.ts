import type { ApiOperation } from './api-description.js';
import type { Audience } from './route.js';

export type OpenApiDocument = Record<string, unknown>;

export interface OpenApiOptions {
  title: string;
  version: string;
  description: string;
  serverUrl: string;
  /** Whose operations: accounts use Basic, the operator a bearer token. */
  audience: Audience;
}

/** Merges the operations that all services have for one audience into one OpenAPI 3.1 document. */
export function buildOpenApiDocument(all: readonly ApiOperation[], options: OpenApiOptions): OpenApiDocument {
  const operations = all.filter((operation) => operation.audience === options.audience);
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method] = operation.openapi;
    Object.assign(schemas, operation.schemas);
  }
  const tags = new Map(operations.map(({ tag }) => [tag.name, tag]));
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    security: [{ [SECURITY[options.audience].name]: [] }],
    tags: [...tags.values()],
    paths,
    components: {
      securitySchemes: { [SECURITY[options.audience].name]: SECURITY[options.audience].scheme },
      headers: HEADERS,
      parameters:
        options.audience === 'account'
          ? { TenantId: TENANT_ID, IdempotencyKey: IDEMPOTENCY_KEY }
          : { IdempotencyKey: IDEMPOTENCY_KEY },
      schemas: { ...schemas, Error: ERROR },
    },
  };
}

const SECURITY = {
  account: {
    name: 'basic',
    scheme: {
      type: 'http',
      scheme: 'basic',
      description: 'User name: the Auth ID. Password: the Auth Token.',
    },
  },
  operator: {
    name: 'bearer',
    scheme: { type: 'http', scheme: 'bearer', description: 'The operator token.' },
  },
};

const HEADERS = {
  RequestId: { description: 'Quote it when you ask for help.', schema: { type: 'string' } },
};

const TENANT_ID = {
  name: 'X-Tenant-ID',
  in: 'header',
  required: false,
  description: 'Must be the tenant of the API key when it is sent.',
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeat with the same key gets the first answer again for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { type: 'string', description: 'Stable; branch on this.' },
        message: { type: 'string', description: 'For people; may change.' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
        request_id: { type: 'string' },
      },
    },
  },
};
