/** True for a write refused by a unique index; `constraint` narrows it to one index or, from Prisma, to its fields. */
export function isUniqueViolation(error: unknown): boolean {
  return codesOf(error).some((code) => code === 'P2002' || code === '23505');
}

/** The codes of an error and of what Prisma wraps in it (`meta.driverAdapterError.cause.originalCode` for raw queries). */
function codesOf(error: unknown): unknown[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, originalCode, meta, cause, driverAdapterError } = error as Record<string, unknown>;
  return [code, originalCode, ...codesOf(meta), ...codesOf(cause), ...codesOf(driverAdapterError)];
}
