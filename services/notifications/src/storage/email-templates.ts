import type { EmailTemplate } from '../generated/prisma/client.js';
import type { Db } from './database.js';

export type { EmailTemplate };

/** The owner of the templates that all tenants may use. */
export const PLATFORM = 'platform';

/** The tenant's own template, else the one for all tenants. */
export async function findTemplate(
  db: Db,
  tenantId: string,
  templateId: string,
): Promise<EmailTemplate | undefined> {
  const found = await db.emailTemplate.findMany({
    where: { templateId, owner: { in: [tenantId, PLATFORM] } },
  });
  return found.find(({ owner }) => owner === tenantId) ?? found[0];
}

export async function saveTemplate(
  db: Db,
  key: { templateId: string; owner: string },
  text: Pick<EmailTemplate, 'subject' | 'html' | 'text'>,
): Promise<EmailTemplate> {
  return db.emailTemplate.upsert({
    where: { templateId_owner: key },
    create: { ...key, ...text },
    update: text,
  });
}

/** Newest first. */
export async function listTemplates(
  db: Db,
  window: { skip: number; take: number },
): Promise<{ templates: EmailTemplate[]; total: number }> {
  const [templates, total] = await Promise.all([
    db.emailTemplate.findMany({
      orderBy: [{ createdAt: 'desc' }, { templateId: 'asc' }, { owner: 'asc' }],
      ...window,
    }),
    db.emailTemplate.count(),
  ]);
  return { templates, total };
}
