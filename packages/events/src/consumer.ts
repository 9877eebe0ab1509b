import type { EventContract, EventEnvelope, Topic } from '@trunkline/contracts';

/** What a service does with the events of a topic. Effects must be idempotent by the event's id: events may come again. */
export interface Consumer {
  /** Usually the service's name. A new name starts from the oldest event kept. */
  group: string;
  topic: Topic;
  /** The types it understands: their `data` is validated before `handle` sees it. */
  contracts: readonly EventContract[];
  /** Events of other types: left out (default), or handed over with their envelope validated and `data` as it came. */
  otherTypes?: 'skip' | 'pass';
  /** At most so many events at once. Default 100. */
  batchSize?: number;
  /** Partitions worked on at the same time in this process. Default 1. */
  concurrency?: number;
  /** Gets events of one partition, in order. When it rejects, the same ones come again and the partition waits. */
  handle(events: readonly EventEnvelope[]): Promise<void>;
}

/** One type of event and what is done with it. */
export interface EventHandler {
  contract: EventContract;
  handle(event: EventEnvelope): Promise<void>;
}

export function on<Data>(
  contract: EventContract<Data>,
  handle: (event: EventEnvelope<Data>) => Promise<void>,
): EventHandler {
  // The consumer has validated `data` against this very contract.
  return { contract: contract as EventContract, handle: handle as EventHandler['handle'] };
}

/** For a consumer that takes events one by one, each by the handler of its type. */
export function oneByOne(...handlers: readonly EventHandler[]): Pick<Consumer, 'contracts' | 'handle'> {
  const byType = new Map(handlers.map(({ contract, handle }) => [contract.type, handle]));
  return {
    contracts: handlers.map(({ contract }) => contract),
    async handle(events) {
      for (const event of events) await byType.get(event.type)?.(event);
    },
  };
}
