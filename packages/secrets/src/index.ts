export { createSecretBox, parseEncryptionKeys, type SecretBox } from './secret-box.js';
export { digestOf, matchesDigest } from './token-digest.js';
