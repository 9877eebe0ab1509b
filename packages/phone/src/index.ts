export { isE164, normaliseE164 } from './e164.js';
