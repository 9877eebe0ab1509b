// CPU time per request of servers that run in processes of their own, in interleaved rounds: ratios of medians.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'undici';

export async function startTarget(file, env = {}) {
  const child = fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const next = async () => {
    const [message] = await once(child, 'message', { signal: AbortSignal.timeout(30_000) });
    return message;
  };
  const { port } = await next();
  return {
    url: `http://127.0.0.1:${port}`,
    async cpuMs() {
      const answer = next();
      child.send('cpu');
      return (await answer).cpuMs;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** `inFlight` requests at once, `count` in all; every answer must be 200. */
export async function load(url, { path: to, headers, count, inFlight }) {
  const pool = new Pool(url, { connections: inFlight });
  let sent = 0;
  const client = async () => {
    while (sent++ < count) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: to, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, client));
  await pool.close();
}

/** @returns CPU microseconds per request for each target, medians over the rounds */
export async function cpuPerRequest(targets, { rounds = 7, count = 6_000, inFlight = 32 } = {}) {
  const samples = new Map(targets.map(({ name }) => [name, []]));
  for (const { target, request } of targets) await load(target.url, { ...request, count, inFlight });
  for (let round = 0; round < rounds; round++) {
    for (const { name, target, request } of targets) {
      const before = await target.cpuMs();
      await load(target.url, { ...request, count, inFlight });
      samples.get(name).push(((await target.cpuMs()) - before) * (1_000 / count));
    }
  }
  return new Map([...samples].map(([name, values]) => [name, median(values)]));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
