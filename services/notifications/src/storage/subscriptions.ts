import { notFound } from '@trunkline/errors';
import type { Prisma, WebhookSubscription } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { WebhookSubscription };
export type NewSubscription = Prisma.WebhookSubscriptionUncheckedCreateInput;
export type SubscriptionChanges = Partial<Omit<WebhookSubscription, 'id' | 'tenantId' | 'createdAt'>>;

export async function insertSubscription(
  db: Db,
  subscription: NewSubscription,
): Promise<WebhookSubscription> {
  return db.webhookSubscription.create({ data: subscription });
}

export async function getSubscription(db: Db, tenantId: string, id: string): Promise<WebhookSubscription> {
  const subscription = await db.webhookSubscription.findFirst({ where: { id, tenantId } });
  if (!subscription) throw notFound('webhook');
  return subscription;
}

/** Keeps others from changing the subscription until the transaction ends. */
export async function lockSubscription(db: Db, tenantId: string, id: string): Promise<WebhookSubscription> {
  await db.$queryRaw`
    select id from webhook_subscriptions where id = ${id}::uuid and tenant_id = ${tenantId} for no key update`;
  return getSubscription(db, tenantId, id);
}

/** Newest first. */
export async function listSubscriptions(db: Db, tenantId: string): Promise<WebhookSubscription[]> {
  return db.webhookSubscription.findMany({
    where: { tenantId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

export async function saveSubscription(
  db: Db,
  tenantId: string,
  id: string,
  changes: SubscriptionChanges,
): Promise<WebhookSubscription> {
  const [saved] = await db.webhookSubscription.updateManyAndReturn({
    where: { id, tenantId },
    data: changes,
  });
  if (!saved) throw notFound('webhook');
  return saved;
}

/** Its delivery log stays in the log of the tenant. */
export async function deleteSubscription(db: Db, tenantId: string, id: string): Promise<void> {
  const { count } = await db.webhookSubscription.deleteMany({ where: { id, tenantId } });
  if (count === 0) throw notFound('webhook');
}
