import Joi from 'joi';
import { uuid } from '@trunkline/http';

export const timestamp = Joi.string().isoDate();

/** Text without control characters: a line break in it could start a SIP header. Its value is never shown in an error. */
export function oneLine(maxLength: number): Joi.StringSchema {
  return Joi.string()
    .max(maxLength)
    .pattern(/^[^\u0000-\u001f\u007f-\u009f]*$/)
    .messages({ 'string.pattern.base': '{{#label}} must not contain control characters' });
}

/** `:id` of a carrier. */
export const carrierParams = Joi.object<{ id: string }>({ id: uuid.required() });
