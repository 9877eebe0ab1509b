import pg from 'pg';
import { Kafka } from 'kafkajs';
import { createTestDatabase, type TestDatabase } from '../../testing/src/test-database.js';
import { withPrograms } from '../../testing/src/with-programs.js';
import { createKafkaBus, createPostgresBus, eventsDatabase } from '../src/index.js';
import { describeBusContract } from './bus-contract.js';
import { silent, type BusDriver } from './bus-driver.js';
import { describeBusFaults } from './bus-faults.js';
import { describeKafkaRelay } from './kafka-relay.js';
import { startKafkaServer, type KafkaServer } from './kafka-server.js';

jest.setTimeout(60_000);

describe('the event bus over PostgreSQL', () => {
  let database: TestDatabase;
  let driver: BusDriver;
  beforeAll(async () => {
    database = await createTestDatabase(eventsDatabase);
    driver = postgresDriver(database.url);
  });
  afterAll(() => database.drop());
  describeBusContract(() => driver);
  describeBusFaults(() => driver);
});

// The one place that starts a broker: it costs some five seconds.
withPrograms('java', 'mvn')('the event bus over Kafka', () => {
  let server: KafkaServer;
  let driver: BusDriver;
  beforeAll(async () => {
    server = await startKafkaServer();
    driver = kafkaDriver(server);
  }, 300_000);
  afterAll(() => server?.stop());
  describeBusContract(() => driver);
  describeBusFaults(() => driver);
  describeKafkaRelay(() => server);
});

function postgresDriver(url: string): BusDriver {
  return {
    name: 'PostgreSQL',
    open: async () => createPostgresBus({ url, log: silent, leaseMs: 2_000 }),
    address: { kafkaBrokers: '', databaseUrl: url },
    makeWideTopic: async () => undefined,
    async disturb() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (let i = 0; i < 20; i++) {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await client.end();
    },
  };
}

function kafkaDriver(server: KafkaServer): BusDriver {
  const { brokers } = server;
  return {
    name: 'Kafka',
    open: async () => createKafkaBus({ brokers, clientId: 'test', log: silent }),
    address: { kafkaBrokers: brokers, databaseUrl: '' },
    async makeWideTopic(topic) {
      const admin = new Kafka({ brokers: [brokers], logLevel: 0 }).admin();
      await admin.connect();
      const configEntries = [{ name: 'max.message.bytes', value: '10000000' }];
      await admin.createTopics({ topics: [{ topic, numPartitions: 6, configEntries }] });
      await admin.disconnect();
    },
    async disturb() {
      await server.kill();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await server.start();
    },
  };
}
