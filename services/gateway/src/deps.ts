import type { Caller, OpenApiDocument, RequestObservation } from '@trunkline/http';
import type { SecretBox } from '@trunkline/secrets';
import type { Upstream } from './adapters/upstream.js';
import type { Config } from './config.js';
import type { RouteTable } from './domain/route-table.js';
import type { PrismaClient } from './storage/database.js';
import type { KeyCache } from './use-cases/key-cache.js';
import type { RateLimiter } from './use-cases/rate-limiter.js';

/** What the doors and workers of the gateway work with. */
export interface Deps {
  db: PrismaClient;
  config: Readonly<Config>;
  secrets: SecretBox;
  keys: KeyCache;
  rateLimiter: RateLimiter | undefined;
  publicTable: RouteTable;
  operatorTable: RouteTable;
  publicDocument: OpenApiDocument;
  operatorDocument: OpenApiDocument;
  operatorDigest: Buffer;
  signCaller: (cacheKey: string, caller: Caller) => string;
  upstream(service: string): Upstream;
  upstreams: ReadonlyMap<string, Upstream>;
  observe(observation: RequestObservation): void;
  /** Rejects while keys cannot be looked up. */
  canAuthenticate(): Promise<void>;
}
