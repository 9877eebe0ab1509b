import Joi from 'joi';

export interface Page {
  page: number;
  per_page: number;
}

/** `page` (default 1) and `per_page` (default 20, at most 100); out of range is 400, never clamped (decisions 2). */
export const pageQuery: { [K in keyof Page]: Joi.Schema<Page[K]> } = {
  page: Joi.number().integer().min(1).max(1_000_000).default(1),
  per_page: Joi.number().integer().min(1).max(100).default(20),
};

export interface Paginated<T> {
  data: T[];
  pagination: { total: number; count: number; per_page: number; current_page: number; total_pages: number };
}

/** The list shape `data` + `pagination` (specification, Listing phone numbers; decisions 2). */
export function paginated<T>(data: T[], total: number, { page, per_page }: Page): Paginated<T> {
  return {
    data,
    pagination: {
      total,
      count: data.length,
      per_page,
      current_page: page,
      total_pages: Math.ceil(total / per_page),
    },
  };
}

export function paginatedSchema(item: Joi.Schema): Joi.ObjectSchema {
  const count = Joi.number().integer().min(0).required();
  return Joi.object({
    data: Joi.array().items(item).required(),
    pagination: Joi.object({
      total: count,
      count,
      per_page: count,
      current_page: count,
      total_pages: count,
    }).required(),
  });
}

/** What to skip and take of a query. */
export function window({ page, per_page }: Page): { skip: number; take: number } {
  return { skip: (page - 1) * per_page, take: per_page };
}
