import { randomUUID } from 'node:crypto';
import type { TestService } from '@trunkline/testing';
import type { Prober } from '../src/adapters/prober.js';
import type { Deps } from '../src/deps.js';
import type { ProbeOutcome } from '../src/domain/health/probe-outcome.js';
import type { ProbeTarget } from '../src/domain/health/probe-target.js';
import type { Prisma } from '../src/generated/prisma/client.js';
import type { Db } from '../src/storage/database.js';

export const alive: ProbeOutcome = { kind: 'alive', responseTimeMs: 12.4 };
export const failed: ProbeOutcome = { kind: 'failed', error: 'timeout' };

type CarrierFields = Partial<Omit<Prisma.CarrierCreateManyInput, 'id'>>;

/** Carriers that are due at once, as the API makes them. Answers their ids. */
export async function insertCarriers(db: Db, count: number, fields: CarrierFields = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID() as string);
  const carriers = ids.map((id) => ({
    id,
    owner: 'TJ00000001',
    code: id,
    name: 'Carrier',
    carrierType: 'outbound',
    sipHost: `${id}.example`,
    sipPort: 5060,
    transport: 'udp',
    maxChannels: 100,
    priority: 100,
    weight: 1,
    ...fields,
  }));
  for (let from = 0; from < count; from += 1_000) {
    await db.carrier.createMany({ data: carriers.slice(from, from + 1_000) });
  }
  await db.$executeRaw`
    insert into carrier_health (carrier_id, next_probe_at)
    select unnest(${ids}::uuid[]), now() - interval '1 millisecond'`;
  return ids;
}

export async function insertOne(db: Db, fields: CarrierFields = {}): Promise<string> {
  const [id] = await insertCarriers(db, 1, fields);
  return id!;
}

export async function makeDue(db: Db, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    update carrier_health set next_probe_at = now() - interval '1 millisecond'
    where carrier_id = any(${ids}::uuid[])`;
}

/** Claims once and waits until what came of it is written. */
export async function probeOnce(service: TestService<Deps>): Promise<number> {
  const claimed = await service.pass('probe-carriers');
  await service.deps.probes.settled();
  return claimed;
}

export const healthOf = (db: Db, carrierId: string) =>
  db.carrierHealth.findUniqueOrThrow({ where: { carrierId } });

/** The log of a carrier, oldest first. */
export const logOf = (db: Db, carrierId: string) =>
  db.healthProbe.findMany({ where: { carrierId }, orderBy: { createdAt: 'asc' } });

export interface ScriptedProber {
  probe: Prober;
  /** Every target, in the order of the probes. */
  asked: ProbeTarget[];
  /** What the next probes answer. */
  answer: (with_: ProbeOutcome | Prober) => void;
}

export function scriptedProber(first: ProbeOutcome | Prober = alive): ScriptedProber {
  let answer = first;
  const asked: ProbeTarget[] = [];
  return {
    asked,
    answer: (with_) => (answer = with_),
    probe: (target) => {
      asked.push(target);
      return typeof answer === 'function' ? answer(target) : Promise.resolve(answer);
    },
  };
}
