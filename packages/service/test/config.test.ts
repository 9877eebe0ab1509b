import Joi from 'joi';
import { defineConfig, platformConfig, setting } from '../src/index.js';

const config = defineConfig<{ period: number; token: string }>({
  period: setting('PERIOD', Joi.number().min(1).default(30), 'seconds between two passes'),
  token: setting('TOKEN', Joi.string().min(8).required(), 'who may come in'),
});

test('values are converted, defaults apply, an empty variable is none, and nothing can be changed afterwards', () => {
  const read = config.read({ PERIOD: '', TOKEN: 'long enough' });
  expect(read).toEqual({ period: 30, token: 'long enough' });
  expect(config.read({ PERIOD: '5', TOKEN: 'long enough' }).period).toBe(5);
  expect(() => Object.assign(read, { period: 1 })).toThrow();
});

test('every bad or missing variable is named in one message, with what it is for and without its value', () => {
  const reading = () => config.read({ PERIOD: '0', TOKEN: 'hunter2' });
  expect(reading).toThrow(/PERIOD must be greater than or equal to 1 \(seconds between two passes\)/);
  expect(reading).toThrow(/TOKEN length must be at least 8/);
  expect(reading).not.toThrow(/hunter2/);
});

test('no secret of the platform has a default', () => {
  expect(() => platformConfig.read({})).toThrow(
    /DATABASE_URL is required[\s\S]*CALLER_SECRET is required[\s\S]*ENCRYPTION_KEYS is required/,
  );
});
