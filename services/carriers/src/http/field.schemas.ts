import Joi from 'joi';

export const id = Joi.string().uuid({ separator: '-', wrapper: false });
export const timestamp = Joi.string().isoDate();

/** Text without control characters: a line break in it could start a SIP header. Its value is never shown in an error. */
export function oneLine(maxLength: number): Joi.StringSchema {
  return Joi.string()
    .max(maxLength)
    .pattern(/^\P{Cc}*$/u)
    .messages({ 'string.pattern.base': '{{#label}} must not contain control characters' });
}

/** `:id` of a carrier. */
export const carrierParams = Joi.object<{ id: string }>({ id: id.required() });
