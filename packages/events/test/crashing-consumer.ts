// A consumer in a process of its own: prints what it handles, and dies by SIGKILL after so many messages, before the commit.
import { openEventBus } from '../src/index.js';

interface Orders {
  kafkaBrokers: string;
  databaseUrl: string;
  topic: string;
  group: string;
  dieAfter: number;
}

const { topic, group, dieAfter, ...address } = JSON.parse(process.argv[2] ?? '') as Orders;
const log = { warn: () => undefined, error: () => undefined };
let handled = 0;

void openEventBus({ ...address, clientId: 'crashing', partitions: 6, log }).subscribe({
  topic,
  group,
  batchSize: 3,
  async handle(messages) {
    for (const { payload } of messages) process.stdout.write(`${payload}\n`);
    handled += messages.length;
    if (handled >= dieAfter) process.kill(process.pid, 'SIGKILL');
  },
});
