import { settle, TransportError, type RpcTransport } from './transport.js';

type Handler = (payload: string) => Promise<string>;

/** The driver of the embedded mode: every service of one process shares it. Payloads are text, as on a real wire. */
export function createInProcessTransport(): RpcTransport {
  const handlers = new Map<string, Handler>();
  const listeners = new Map<string, Set<(payload: string) => void>>();
  const running = new Set<Promise<unknown>>();
  let open = true;

  return {
    async request(subject, payload, timeoutMs) {
      const handler = handlers.get(subject);
      if (!open) throw new TransportError('disconnected', subject);
      if (!handler) throw new TransportError('no_responders', subject);
      const answer = Promise.resolve(payload).then(handler);
      running.add(answer);
      const settled = () => running.delete(answer);
      answer.then(settled, settled);
      return withTimeout(answer, timeoutMs, subject);
    },
    respond: (subject, _queueGroup, handler) => void handlers.set(subject, handler),
    publish(subject, payload) {
      for (const listener of listeners.get(subject) ?? []) setImmediate(() => open && listener(payload));
    },
    subscribe(subject, listener) {
      const known = listeners.get(subject) ?? new Set();
      listeners.set(subject, known.add(listener));
    },
    isConnected: () => open,
    async close() {
      open = false;
      await settle(running);
    },
  };
}

async function withTimeout<T>(answer: Promise<T>, timeoutMs: number, subject: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TransportError('timeout', subject)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
