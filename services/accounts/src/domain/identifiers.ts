/** `TJ` and 8 hexadecimal characters (specification, Authentication 2); tenants have the same form (decisions 1). */
export const AUTH_ID = /^TJ[0-9A-Fa-f]{8}$/;

/** @param random 4 random bytes */
export function authIdOf(random: Uint8Array): string {
  return `TJ${hex(random.subarray(0, 4)).toUpperCase()}`;
}

/** 32 hexadecimal characters (specification, Authentication 2). @param random 16 random bytes */
export function authTokenOf(random: Uint8Array): string {
  return hex(random.subarray(0, 16));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
