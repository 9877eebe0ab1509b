import { isUniqueViolation } from '@trunkline/database';
import { conflict } from '@trunkline/errors';

/** Rethrows; what the unique index on (owner, code) refused becomes CODE_TAKEN. */
export function codeTaken(error: unknown): never {
  throw isUniqueViolation(error) ? conflict('CODE_TAKEN', 'Another carrier already has this code.') : error;
}
