// The floor: signs and POSTs the same bodies from memory over a pool of undici, no queue, no limits, no results.
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { answerCpuQuestions } from '../http/target.mjs';

const { RECEIVER_URL, CONNECTIONS, SECRET } = process.env;
const pool = new Pool(RECEIVER_URL, { connections: Number(CONNECTIONS) });
const standardKey = Buffer.from(SECRET.slice('whsec_'.length), 'base64');

async function deliver({ id, event, body }) {
  const seconds = Math.floor(Date.now() / 1_000);
  const bytes = Buffer.from(body);
  const hex = createHmac('sha256', SECRET).update(`${seconds}.`).update(bytes).digest('hex');
  const base64 = createHmac('sha256', standardKey).update(`${id}.${seconds}.`).update(bytes).digest('base64');
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path: '/hook',
    headers: {
      'content-type': 'application/json',
      'x-service-event': event,
      'x-service-delivery': id,
      'x-service-timestamp': String(seconds),
      'x-service-signature': `t=${seconds},v1=${hex}`,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${base64}`,
      'user-agent': 'bench',
    },
    body: bytes,
  });
  await answer.dump();
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
}

process.on('message', async ({ deliveries }) => {
  if (!deliveries) return;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let next = 0;
  const client = async () => {
    while (next < deliveries.length) await deliver(deliveries[next++]);
  };
  await Promise.all(Array.from({ length: Number(CONNECTIONS) }, client));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  process.send({ seconds, cpuMs: (user + system) / 1_000 });
});
answerCpuQuestions();
process.send({ ready: true });
