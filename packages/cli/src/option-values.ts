import { InvalidArgumentError } from 'commander';
import { UsageError } from './cli-error.js';

/** An id for a path. An empty one, or a `..`, would make another path. */
export function id(value: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(value)) throw new InvalidArgumentError('It is not an id.');
  return value;
}

export function integer(value: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(value);
}

export function decimal(value: string): number {
  if (!/^-?\d{1,15}([.]\d{1,15})?$/.test(value))
    throw new InvalidArgumentError('It is not a number, such as 0.0125.');
  return Number(value);
}

export function commaSeparated(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The given ones of some options as the API's fields: `--sip-host` is `sipHost` in commander and `sip_host` in a body. */
export function bodyOf(options: object, fields: readonly string[]): Record<string, unknown> {
  const given = options as Record<string, unknown>;
  const values = fields.map((field): [string, unknown] => [field, given[camelCase(field)]]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** As `bodyOf`, for a change, which has to change something. The fields to clear become null. */
export function changesOf(
  options: object,
  fields: readonly string[],
  clear: readonly string[] = [],
): Record<string, unknown> {
  const changes = { ...bodyOf(options, fields), ...Object.fromEntries(clear.map((field) => [field, null])) };
  if (Object.keys(changes).length > 0) return changes;
  const names = fields.map((field) => `--${field.replaceAll('_', '-')}`);
  throw new UsageError(`nothing to change: give at least one of ${names.join(', ')}`);
}

/** `?a=1&b=2` of the given ones, or nothing. */
export function queryOf(options: object, fields: readonly string[]): string {
  const given = Object.entries(bodyOf(options, fields)).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

function camelCase(field: string): string {
  return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
