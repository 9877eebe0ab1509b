import type { InboxMessage } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { InboxMessage };

/** Shown at once, at most. */
const LIMIT = 1_000;

/** Newest first. */
export async function listInbox(db: Db, filter: { to?: string; kind?: string }): Promise<InboxMessage[]> {
  return db.inboxMessage.findMany({
    where: filter,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIMIT,
  });
}

export async function emptyInbox(db: Db): Promise<void> {
  await db.inboxMessage.deleteMany();
}
