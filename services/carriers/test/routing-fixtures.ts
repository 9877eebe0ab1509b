import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { carriersContract } from '@trunkline/contracts';
import { createInProcessTransport } from '@trunkline/rpc';
import { startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';
import type { Db } from '../src/storage/database.js';

export type Carriers = TestService<Deps>;
export const TO = '+442079460000';

let accounts = 0;

/** An account nobody has used yet. */
export function newAccount() {
  const n = (++accounts).toString(16).toUpperCase().padStart(8, '0');
  return { auth_id: `TJ${n}`, account_id: randomUUID(), currency: 'USD' };
}
export type Account = ReturnType<typeof newAccount>;

/** A second replica of a service; each has a transport of its own, so that a test says which replica it asks. */
export function startReplica(
  of: Carriers,
  options: Parameters<typeof startTestService<never, never, Deps>>[1] = {},
) {
  return startTestService(service, { ...options, replicaOf: of, transport: createInProcessTransport() });
}

export interface CarrierFixture {
  id?: string;
  code?: string;
  max_channels?: number;
  priority?: number;
  weight?: number;
  status?: string;
  carrier_type?: string;
  health?: string;
  auth_password_sealed?: string | null;
  routes?: { prefix: string; priority?: number; rate?: number | null; rate_currency?: string }[];
}

/** A carrier as the API writes it, with its row in the feed of changes. Answers its id. */
export async function insertCarrier(db: Db, owner: string, fixture: CarrierFixture = {}): Promise<string> {
  const { id = randomUUID(), routes = [{ prefix: '+' }] } = fixture;
  await db.carrier.create({
    data: {
      id,
      owner,
      code: fixture.code ?? id,
      name: `Carrier ${fixture.code ?? id}`,
      carrierType: fixture.carrier_type ?? 'outbound',
      sipHost: 'sip.example.net',
      sipPort: 5060,
      transport: 'udp',
      authUsername: 'trunk',
      authPasswordSealed: fixture.auth_password_sealed ?? null,
      maxChannels: fixture.max_channels ?? 100,
      priority: fixture.priority ?? 100,
      weight: fixture.weight ?? 1,
      status: fixture.status ?? 'active',
      codecPreferences: ['PCMA', 'G722'],
      config: '{"a":1}',
      // Never due: no probe changes what a test has set.
      health: { create: { status: fixture.health ?? 'unknown', nextProbeAt: new Date('2999-01-01') } },
      channels: { create: {} },
    },
  });
  for (const route of routes) await insertRoute(db, id, route);
  await changed(db, owner);
  return id;
}

export async function insertRoute(
  db: Db,
  carrierId: string,
  route: NonNullable<CarrierFixture['routes']>[number],
) {
  const id = randomUUID();
  const { prefix, priority = 100, rate = null, rate_currency: rateCurrency = 'USD' } = route;
  await db.carrierRoute.create({ data: { id, carrierId, prefix, priority, rate, rateCurrency } });
  return id;
}

/** A row in the feed of changes. */
export async function changed(db: Db, scope: string): Promise<void> {
  await db.$executeRaw`insert into routing_changes (scope) values (${scope})`;
}

export async function refresh(...replicas: Carriers[]): Promise<void> {
  for (const replica of replicas) await replica.pass('refresh-routing');
}

export function reserve(
  replica: Carriers,
  account: Account,
  request: Partial<carriersContract.ReserveRequest> = {},
): Promise<carriersContract.ReservedCarrier> {
  return replica.rpc.call(
    carriersContract.reserve,
    { ...account, to: TO, ...request },
    { timeoutMs: 20_000 },
  );
}

/** The carrier's id, or the code of the refusal. */
export async function reserved(...args: Parameters<typeof reserve>): Promise<string> {
  return reserve(...args).then(
    ({ carrier }) => carrier.id,
    (error: { code: string }) => error.code,
  );
}

export const renew = (replica: Carriers, lease_ids: string[]) =>
  replica.rpc.call(carriersContract.renew, { lease_ids }, { timeoutMs: 20_000 });
export const release = (replica: Carriers, lease_ids: string[]) =>
  replica.rpc.call(carriersContract.release, { lease_ids }, { timeoutMs: 20_000 });

/** Carriers whose counter is not the number of their leases. */
export async function miscounted(db: Db): Promise<unknown[]> {
  return db.$queryRaw`
    select c.carrier_id, c.active, count(l.id)::int as leases
    from carrier_channels c left join channel_leases l using (carrier_id)
    group by c.carrier_id, c.active having c.active <> count(l.id)`;
}

export async function activeOf(db: Db, carrierId: string): Promise<number | undefined> {
  return (await db.carrierChannels.findUnique({ where: { carrierId } }))?.active;
}

export { pause };
