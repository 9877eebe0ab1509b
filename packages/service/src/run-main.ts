import { applyMigrations } from '@trunkline/database';
import { eventsDatabase, openEventBus } from '@trunkline/events';
import { connectNatsTransport } from '@trunkline/rpc';
import type { AnyService } from './define-service.js';
import { createLogger } from './logger.js';
import { platformConfig } from './platform-config.js';
import { startService } from './start-service.js';

/**
 * Runs one service as a process of its own: `node dist/main.js`, or `node dist/main.js migrate` for the migration Job.
 * SIGTERM and SIGINT drain it; a second one ends it at once.
 */
export async function runMain(definition: AnyService): Promise<void> {
  const environment = process.env;
  const logger = createLogger({ level: environment.LOG_LEVEL ?? 'info', service: definition.name });
  try {
    const platform = platformConfig.read(environment);
    if (process.argv[2] === 'migrate') {
      const { schema, migrationsDir } = definition.database;
      const applied = await applyMigrations({ url: platform.databaseUrl, schema, dir: migrationsDir });
      const { schema: events, migrationsDir: dir } = eventsDatabase;
      if (!platform.kafkaBrokers) await applyMigrations({ url: platform.databaseUrl, schema: events, dir });
      logger.info({ applied }, 'migrated');
      return;
    }
    const transport = await connectNatsTransport({ servers: platform.natsUrl, name: definition.name });
    const bus = openEventBus({
      kafkaBrokers: platform.kafkaBrokers,
      databaseUrl: platform.databaseUrl,
      clientId: definition.name,
      partitions: platform.topicPartitions,
      log: logger,
    });
    const service = await startService(definition, { environment, transport, bus, logger });
    logger.info({ url: service.url, internal: service.internalUrl }, 'listening');
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      void service
        .stop()
        .then(() => Promise.all([transport.close(), bus.close()]))
        .then(() => process.exit(0));
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  } catch (error) {
    logger.fatal({ error }, (error as Error).message);
    logger.flush();
    process.exitCode = 1;
  }
}
