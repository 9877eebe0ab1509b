import { Counter, Gauge, type Registry } from 'prom-client';
import { measureOutbox, type SqlClient } from './outbox.js';

/** Rows and age are read at each scrape; when the database does not answer, the last values stay. */
export function relayMetrics(registry: Registry, db: SqlClient): { published: Counter<'topic'> } {
  const age = new Gauge({
    name: 'trunkline_outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not published yet',
    registers: [registry],
  });
  new Gauge({
    name: 'trunkline_outbox_rows',
    help: 'Events that are not published yet, counted up to 100,000',
    registers: [registry],
    async collect() {
      const measured = await measureOutbox(db).catch(() => undefined);
      if (!measured) return;
      this.set(measured.rows);
      age.set(measured.ageSeconds);
    },
  });
  return {
    published: new Counter({
      name: 'trunkline_events_published_total',
      help: 'Events published from the outbox',
      labelNames: ['topic'],
      registers: [registry],
    }),
  };
}
