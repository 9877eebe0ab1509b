import Joi from 'joi';
import { invalid, type FieldProblem } from '@trunkline/errors';

/** A UUID in its canonical form: joi alone would let brackets and other separators through, which PostgreSQL refuses. */
export const uuid = Joi.string().guid({ separator: '-', wrapper: false });

/** The record's own read-only keys: accepted and ignored, so that what was read can be put back (decisions 2). */
export function readOnly(...keys: readonly string[]): Record<string, Joi.AnySchema> {
  return Object.fromEntries(keys.map((key) => [key, Joi.any().strip().meta({ readOnly: true })]));
}

/** An answer names at most this many problems. */
const MAX_PROBLEMS = 20;

/** JSON carries its types: "5060" is no integer. Every problem is named, not just the first. */
const BODY = { abortEarly: false, convert: false, errors: { wrap: { label: '' } } } as const;
/** Queries are text: numbers and booleans are converted. */
const QUERY = { abortEarly: false, convert: true, errors: { wrap: { label: '' } } } as const;

export function validateBody<T>(schema: Joi.ObjectSchema<T>, body: unknown): T {
  if (body === undefined) throw invalid([{ field: 'body', message: 'body is required: send a JSON object' }]);
  const problem = findUnstorable(body);
  if (problem) throw invalid([problem]);
  return validated(schema, body, BODY, 'body');
}

export function validateQuery<T>(schema: Joi.ObjectSchema<T>, query: unknown): T {
  return validated(schema, query, QUERY, 'query');
}

/** Undefined when a path parameter does not have the form of its id. */
export function validateParams<T>(schema: Joi.ObjectSchema<T>, params: unknown): T | undefined {
  const { value, error } = schema.validate(params, { convert: false });
  return error ? undefined : (value as T);
}

function validated<T>(
  schema: Joi.ObjectSchema<T>,
  value: unknown,
  options: Joi.ValidationOptions,
  whole: string,
): T {
  const result = schema.validate(value, options);
  if (!result.error) return result.value as T;
  const problems = result.error.details.slice(0, MAX_PROBLEMS);
  throw invalid(
    problems.map(({ path, message }): FieldProblem => ({ field: path.join('.') || whole, message })),
  );
}

/**
 * What no schema sees, refused by name for every field at once: text that PostgreSQL cannot hold (U+0000, half a surrogate pair),
 * and `__proto__`. Walks without recursion: the nesting of a body is the caller's choice.
 */
function findUnstorable(body: unknown): FieldProblem | undefined {
  const waiting: [value: unknown, path: string][] = [[body, '']];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, path] = next;
    if (typeof value === 'string' && (value.includes('\0') || !isWellFormed(value))) {
      return {
        field: path || 'body',
        message: `${path || 'body'} contains a character that cannot be stored`,
      };
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      const at = path.length > MAX_PATH ? path : path ? `${path}.${key}` : key;
      if (key === '__proto__') return { field: at, message: `${at} is not allowed` };
      waiting.push([(value as Record<string, unknown>)[key], at]);
    }
  }
  return undefined;
}

const MAX_PATH = 200;

function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
