import Joi from 'joi';
import { invalid, type FieldProblem } from '@trunkline/errors';

/** The record's own read-only keys: accepted and ignored, so that what was read can be put back (decisions 2). */
export function readOnly(...keys: readonly string[]): Record<string, Joi.AnySchema> {
  return Object.fromEntries(keys.map((key) => [key, Joi.any().strip().meta({ readOnly: true })]));
}

/** JSON carries its types: "5060" is no integer. Every problem is named, not just the first. */
const BODY = { abortEarly: false, convert: false, errors: { wrap: { label: '' } } } as const;
/** Queries are text: numbers and booleans are converted. */
const QUERY = { abortEarly: false, convert: true, errors: { wrap: { label: '' } } } as const;

export function validateBody<T>(schema: Joi.ObjectSchema<T>, body: unknown): T {
  const problem = findUnstorableText(body, '');
  if (problem) throw invalid([problem]);
  return validated(schema, body === undefined ? {} : body, BODY, 'body');
}

export function validateQuery<T>(schema: Joi.ObjectSchema<T>, query: unknown): T {
  return validated(schema, query, QUERY, 'query');
}

/** Undefined when a path parameter does not have the form of its id. */
export function validateParams<T>(schema: Joi.ObjectSchema<T>, params: unknown): T | undefined {
  const { value, error } = schema.validate(params, { convert: false });
  return error ? undefined : (value as T);
}

function validated<T>(schema: Joi.ObjectSchema<T>, value: unknown, options: Joi.ValidationOptions, whole: string): T {
  const result = schema.validate(value, options);
  if (!result.error) return result.value as T;
  throw invalid(
    result.error.details.map((detail): FieldProblem => ({ field: detail.path.join('.') || whole, message: detail.message })),
  );
}

/** PostgreSQL's text holds neither U+0000 nor half a surrogate pair: refused here, by name, for every field at once. */
function findUnstorableText(value: unknown, path: string): FieldProblem | undefined {
  if (typeof value === 'string') {
    // eslint-disable-next-line no-control-regex
    if (!/[\u0000\ud800-\udfff]/.test(value) || (!value.includes('\u0000') && isWellFormed(value))) return undefined;
    return { field: path || 'body', message: `${path || 'body'} contains a character that cannot be stored` };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const problem = findUnstorableText(item, path ? `${path}.${key}` : key);
    if (problem) return problem;
  }
  return undefined;
}

function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
