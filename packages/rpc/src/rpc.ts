import CircuitBreaker from 'opossum';
import type { Broadcast, Operation } from '@trunkline/contracts';
import { fromWire, toWire, TrunklineError, unavailable, type WireError } from '@trunkline/errors';
import type { RpcTransport } from './transport.js';

export interface CallOptions {
  /** Overrides the operation's own time-out. */
  timeoutMs?: number;
  /** Goes along, so that the other service's log lines carry it too. */
  requestId?: string;
}

export interface RpcContext {
  requestId?: string;
}

/** Typed request/reply: both sides validate against the contract. */
export interface Rpc {
  /** Asks. Throws the TrunklineError of the other side, or SERVICE_UNAVAILABLE (no answer in time, nobody there, breaker open). */
  call<Request, Reply>(
    operation: Operation<Request, Reply>,
    request: Request,
    options?: CallOptions,
  ): Promise<Reply>;
  /** Answers. */
  serve<Request, Reply>(
    operation: Operation<Request, Reply>,
    handler: (request: Request, context: RpcContext) => Promise<Reply>,
  ): void;
  /** Tells every replica; at most once. */
  broadcast<Message>(broadcast: Broadcast<Message>, message: Message): void;
  listen<Message>(broadcast: Broadcast<Message>, listener: (message: Message) => void): void;
  isReady(): boolean;
}

export interface RpcOptions {
  /** The service that speaks; replicas of one service share a queue group under this name. */
  service: string;
  /** Told of handlers that failed by a fault of ours, and of messages that break their contract. */
  onFault?: (fault: unknown, operation: string, context: RpcContext) => void;
}

interface RequestEnvelope {
  request: unknown;
  context: RpcContext;
}
type ReplyEnvelope = { reply: unknown } | { error: WireError };

/** Half of the calls of the last ten seconds failed (at least 5 of them): fail at once, try again after a second. */
const BREAKER = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 5,
  resetTimeout: 1_000,
  // An answer that refuses is an answer: only silence opens the breaker.
  errorFilter: (error: unknown) => error instanceof TrunklineError && error.kind !== 'unavailable',
} as const satisfies CircuitBreaker.Options;

type Ask = [payload: string, timeoutMs: number];

export function createRpc(transport: RpcTransport, options: RpcOptions): Rpc {
  const breakers = new Map<string, CircuitBreaker<Ask, ReplyEnvelope>>();
  const breakerOf = (name: string) => {
    const known = breakers.get(name);
    if (known) return known;
    const breaker = new CircuitBreaker<Ask, ReplyEnvelope>(async (payload, timeoutMs) => {
      const envelope = JSON.parse(await transport.request(name, payload, timeoutMs)) as ReplyEnvelope;
      if ('error' in envelope) throw fromWire(envelope.error);
      return envelope;
    }, BREAKER);
    breakers.set(name, breaker);
    return breaker;
  };

  return {
    async call(operation, request, { timeoutMs = operation.timeoutMs, requestId } = {}) {
      const context: RpcContext = requestId === undefined ? {} : { requestId };
      const payload = JSON.stringify({ request, context } satisfies RequestEnvelope);
      try {
        const envelope = await breakerOf(operation.name).fire(payload, timeoutMs);
        return checked(operation.reply, (envelope as { reply: unknown }).reply);
      } catch (error) {
        if (error instanceof TrunklineError) throw error;
        throw unavailable(operation.name.split('.')[0] ?? operation.name, error);
      }
    },
    serve(operation, handler) {
      transport.respond(operation.name, options.service, async (payload) => {
        let context: RpcContext = {};
        try {
          const envelope = JSON.parse(payload) as RequestEnvelope;
          context = envelope.context ?? {};
          const request = checked(operation.request, envelope.request);
          return JSON.stringify({ reply: await handler(request, context) } satisfies ReplyEnvelope);
        } catch (error) {
          if (!(error instanceof TrunklineError)) options.onFault?.(error, operation.name, context);
          return JSON.stringify({ error: toWire(error) } satisfies ReplyEnvelope);
        }
      });
    },
    broadcast: (broadcast, message) => transport.publish(broadcast.name, JSON.stringify(message)),
    listen(broadcast, listener) {
      transport.subscribe(broadcast.name, (payload) => {
        try {
          listener(checked(broadcast.message, JSON.parse(payload)));
        } catch (fault) {
          options.onFault?.(fault, broadcast.name, {});
        }
      });
    },
    isReady: () => transport.isConnected(),
  };
}

/** Unknown keys are dropped, not refused: a newer peer may send more (additive changes only). */
function checked<T>(
  schema: { validate: (value: unknown, options: object) => { error?: Error | undefined; value: T } },
  value: unknown,
): T {
  const result = schema.validate(value, { convert: false, stripUnknown: true });
  if (result.error) throw result.error;
  return result.value;
}
