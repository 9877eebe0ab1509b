import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { eventually } from '@trunkline/testing';
import { startKafkaServer } from '../packages/events/test/kafka-server.js';
import { newAccount, recordOf, type ApiAddresses, type Ask, type Json } from './api-client.js';
import { newDataDir, startPlatformProcess } from './platform-process.js';
import { startReceiver, type Receiver } from './receiver.js';
import { startSeparatePlatform } from './separate-platform.js';

jest.setTimeout(180_000);

const FAST_HEALTH = { HEALTH_CHECK_PERIOD_SECONDS: '0.5' };

interface Running {
  addresses: ApiAddresses;
  stop(): Promise<void>;
}

const embedded = {
  name: 'embedded, events through PostgreSQL',
  async start(): Promise<Running> {
    const dataDir = newDataDir();
    const { env, stop } = await startPlatformProcess(dataDir, FAST_HEALTH);
    return {
      addresses: {
        url: env.TRUNKLINE_URL ?? '',
        operatorUrl: env.TRUNKLINE_OPERATOR_URL ?? '',
        operatorToken: env.TRUNKLINE_OPERATOR_TOKEN ?? '',
      },
      async stop() {
        await stop();
        fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
      },
    };
  },
};

const separate = {
  name: 'separate processes, events through Kafka',
  async start(): Promise<Running> {
    const kafka = await startKafkaServer();
    const platform = await startSeparatePlatform({
      services: ['accounts', 'carriers', 'notifications', 'webhook-dispatcher'],
      // Embedded only in that loopback addresses may be reached: the receiver is there.
      environment: { TRUNKLINE_MODE: 'embedded', KAFKA_BROKERS: kafka.brokers, ...FAST_HEALTH },
    });
    const { gateway = '', operator = '' } = platform.urls;
    return {
      addresses: { url: gateway, operatorUrl: operator, operatorToken: platform.operatorToken },
      async stop() {
        await platform.stop();
        await kafka.stop();
      },
    };
  },
};

const missing = ['nats-server', 'java', 'mvn'].filter(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);
if (missing.length && process.env.CI) throw new Error(`CI needs ${missing.join(', ')}`);
if (missing.length) console.warn(`skipped: webhooks over Kafka (needs ${missing.join(', ')})`);

describe.each(missing.length ? [embedded] : [embedded, separate])('webhooks: $name', ({ start }) => {
  let running: Running;
  let receiver: Receiver;
  let api: Ask;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
    ({ api } = await newAccount(running.addresses));
  });
  afterEach(() => receiver.close());

  const subscribe = async (more: object = {}) => {
    const response = await api('POST', 'notifications/webhooks', {
      url: receiver.url,
      events: ['*'],
      ...more,
    });
    expect(response.status).toBe(201);
    return recordOf(response);
  };
  const publish = async (payload: object) => {
    const body = { event_type: 'order.created', payload: JSON.stringify(payload) };
    const response = await api('POST', 'notifications/notifications', body);
    expect(response.status).toBe(202);
    return recordOf(response);
  };
  const logEntry = async (id: string | undefined) =>
    recordOf(await api('GET', `notifications/notifications/${id}`));

  test('a published event arrives, signed, and the log says so', async () => {
    const { secret } = await subscribe();
    const published = await publish({ order: 7 });
    expect(published.queued_subscriptions).toBe(1);
    const { headers, body } = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received[0] as Receiver['received'][number];
    }, 15_000);
    expect(JSON.parse(body)).toEqual({
      event: 'order.created',
      delivery_id: published.id,
      occurred_at: expect.stringMatching(/Z$/),
      data: { order: 7 },
    });
    expect(headers).toMatchObject({ 'x-service-event': 'order.created', 'x-service-delivery': published.id });
    const timestamp = headers['x-service-timestamp'];
    const v1 = createHmac('sha256', secret ?? '')
      .update(`${timestamp}.${body}`)
      .digest('hex');
    expect(headers['x-service-signature']).toBe(`t=${timestamp},v1=${v1}`);
    await eventually(async () => {
      expect(await logEntry(published.id)).toMatchObject({ status: 'delivered', attempts: 1 });
    }, 15_000);
  });

  test('a failing endpoint is tried again, each attempt is seen, and a replay delivers once it is mended', async () => {
    const { id } = await subscribe({ max_retries: 1 });
    receiver.status = 500;
    const published = await publish({ order: 8 });
    await eventually(async () => {
      expect(await logEntry(published.id)).toMatchObject({ status: 'failed', attempts: 2 });
    }, 20_000);
    expect((await logEntry(published.id)).last_error).toContain('500');
    const attempts = (await recordOf(
      await api('GET', `notifications/webhooks/${id}/deliveries/${published.id}/attempts`),
    )) as unknown as { data: Json[] };
    expect(attempts.data).toHaveLength(2);
    receiver.status = 200;
    const replay = await api('POST', `notifications/webhooks/${id}/deliveries/${published.id}/retry`);
    expect(replay.status).toBe(202);
    await eventually(async () => {
      expect(await logEntry(published.id)).toMatchObject({ status: 'delivered' });
    }, 15_000);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(
      new Set([published.id]),
    );
  });

  test('a carrier that dies is told by the built-in event', async () => {
    await subscribe({ events: ['carrier.unhealthy'] });
    const carrier = await recordOf(
      await api('POST', 'carriers', { name: 'Dying', sip_host: 'down.sandbox.invalid' }),
    );
    await eventually(() => expect(receiver.received).toHaveLength(1), 20_000);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      event: 'carrier.unhealthy',
      data: { carrier_id: carrier.id, health_status: 'unhealthy' },
    });
  });
});
