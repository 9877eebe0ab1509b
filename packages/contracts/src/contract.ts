import type Joi from 'joi';

/** A question or command that one service answers to another, now. Never the system of record. */
export interface Operation<Request, Reply> {
  /** `<owning service>.<verb>`, which is also its subject on the wire. */
  readonly name: string;
  readonly request: Joi.ObjectSchema<Request>;
  readonly reply: Joi.ObjectSchema<Reply>;
  /** After this many milliseconds the caller gets SERVICE_UNAVAILABLE. */
  readonly timeoutMs: number;
}

/** A hint to every replica that listens; it may be lost, so nobody may depend on it for correctness. */
export interface Broadcast<Message> {
  readonly name: string;
  readonly message: Joi.ObjectSchema<Message>;
}

export function defineOperation<Request, Reply>(
  name: string,
  definition: Omit<Operation<Request, Reply>, 'name' | 'timeoutMs'> & { timeoutMs?: number },
): Operation<Request, Reply> {
  return { name, timeoutMs: 2_000, ...definition };
}

export function defineBroadcast<Message>(
  name: string,
  message: Joi.ObjectSchema<Message>,
): Broadcast<Message> {
  return { name, message };
}
