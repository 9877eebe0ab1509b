import { isUniqueViolation } from '@trunkline/database';

const ATTEMPTS = 10;

/** An Auth ID has only 32 random bits, so two may meet: the unique index decides, and another one is drawn. */
export async function retryOnCollision<T>(insert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert();
    } catch (error) {
      if (attempt === ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}
