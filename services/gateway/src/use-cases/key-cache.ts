import type { accountsContract } from '@trunkline/contracts';
import type { AccountCaller } from '@trunkline/http';

type ApiKey = accountsContract.ApiKey;

/** A key as it is cached: the caller object stays the same while nothing changes, so that its signature can be reused. */
export interface CachedKey {
  digest: Buffer;
  suspended: boolean;
  caller: AccountCaller;
}

interface Entry {
  key: CachedKey | undefined;
  /** When the look-up that answered was sent: what it answered was true then or later. */
  askedAt: number;
  used: boolean;
}

export interface KeyCacheOptions {
  /** `accounts.find-keys`. */
  findKeys(authIds: string[]): Promise<ApiKey[]>;
  now?: () => number;
}

/** Nothing older is ever used: revocation and suspension take effect within a second, even when the broadcast is lost. */
export const MAX_AGE_MS = 1_000;
/** As many as `accounts.find-keys` takes. */
const BATCH = 1_000;
const MAX_ENTRIES = 100_000;
/** Look-ups that come within this time share a question: unknown Auth IDs cannot flood the accounts service. */
const GATHER_MS = 2;

/**
 * API keys by Auth ID. Keys in use are refreshed ahead of their second, all in one question; what is unused is forgotten;
 * look-ups of one moment share a question.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  private waiting:
    | Map<string, { resolve: (key: CachedKey | undefined) => void; reject: (error: unknown) => void }[]>
    | undefined;
  private readonly now: () => number;

  constructor(private readonly options: KeyCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** The key when it is known freshly enough; undefined means: ask `find`. A known absence is `{ key: undefined }`. */
  peek(authId: string): { key: CachedKey | undefined } | undefined {
    const entry = this.entries.get(authId);
    if (!entry || this.now() - entry.askedAt >= MAX_AGE_MS) return undefined;
    entry.used = true;
    return entry;
  }

  find(authId: string): Promise<CachedKey | undefined> {
    return new Promise((resolve, reject) => {
      if (!this.waiting) {
        this.waiting = new Map();
        setTimeout(() => void this.flush(), GATHER_MS);
      }
      const others = this.waiting.get(authId) ?? [];
      this.waiting.set(authId, [...others, { resolve, reject }]);
    });
  }

  /** Told by `accounts.keys-changed`. */
  forget(authIds: readonly string[]): void {
    for (const authId of authIds) this.entries.delete(authId);
  }

  /** One pass of the refresh worker: asks for the keys used since the last pass, forgets the others. */
  async refresh(): Promise<number> {
    const used: string[] = [];
    for (const [authId, entry] of this.entries) {
      if (entry.used) used.push(authId);
      else if (this.now() - entry.askedAt >= MAX_AGE_MS) this.entries.delete(authId);
      entry.used = false;
    }
    for (let i = 0; i < used.length; i += BATCH) await this.ask(used.slice(i, i + BATCH));
    return used.length;
  }

  private async flush(): Promise<void> {
    const waiting = this.waiting ?? new Map();
    this.waiting = undefined;
    const authIds = [...waiting.keys()] as string[];
    for (let i = 0; i < authIds.length; i += BATCH) {
      const batch = authIds.slice(i, i + BATCH);
      try {
        const found = await this.ask(batch);
        for (const authId of batch)
          for (const { resolve } of waiting.get(authId) ?? []) resolve(found.get(authId));
      } catch (error) {
        for (const authId of batch) for (const { reject } of waiting.get(authId) ?? []) reject(error);
      }
    }
  }

  private async ask(authIds: string[]): Promise<Map<string, CachedKey | undefined>> {
    const askedAt = this.now();
    const answered = new Map((await this.options.findKeys(authIds)).map((key) => [key.auth_id, key]));
    if (this.entries.size > MAX_ENTRIES) this.entries.clear();
    const found = new Map<string, CachedKey | undefined>();
    for (const authId of authIds) {
      const previous = this.entries.get(authId);
      const key = toCached(answered.get(authId), previous?.key);
      found.set(authId, key);
      // A slower, older look-up must not replace a newer one.
      if (!previous || previous.askedAt <= askedAt)
        this.entries.set(authId, { key, askedAt, used: previous?.used ?? false });
    }
    return found;
  }
}

function toCached(key: ApiKey | undefined, previous: CachedKey | undefined): CachedKey | undefined {
  if (!key) return undefined;
  const caller: AccountCaller = {
    kind: 'account',
    auth_id: key.auth_id,
    account_id: key.account_id,
    tenant_id: key.tenant_id,
    currency: key.currency,
    billing_mode: key.billing_mode,
  };
  const same = previous && JSON.stringify(previous.caller) === JSON.stringify(caller);
  return {
    digest: Buffer.from(key.token_digest, 'hex'),
    suspended: key.account_status === 'suspended',
    caller: same ? previous.caller : caller,
  };
}
