export { createRpc, type CallOptions, type Rpc, type RpcOptions } from './rpc.js';
export { createInProcessTransport } from './in-process-transport.js';
export { connectNatsTransport } from './nats-transport.js';
export type { RpcTransport } from './transport.js';
