import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations } from '../src/index.js';

const url = process.env.TEST_DATABASE_URL ?? '';
let dir: string;
let schema: string;
let n = 0;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
  schema = `migrations_${process.pid}_${++n}`;
});
afterEach(() => query(`drop schema if exists ${schema} cascade`));

const write = (name: string, sql: string) => {
  fs.mkdirSync(path.join(dir, name), { recursive: true });
  fs.writeFileSync(path.join(dir, name, 'migration.sql'), sql);
};
const apply = () => applyMigrations({ url, schema, dir });

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

test('migrations are applied once, in the order of their names, into the schema', async () => {
  write('2_second', 'alter table things add column b int');
  write('1_first', 'create table things (a int)');
  expect(await apply()).toEqual(['1_first', '2_second']);
  expect(await apply()).toEqual([]);
  expect(await query(`select a, b from ${schema}.things`)).toEqual([]);
});

test('ten replicas that start together apply each migration once', async () => {
  write('1_first', 'create table things (a int); insert into things values (1)');
  const applied = await Promise.all(Array.from({ length: 10 }, apply));
  expect(applied.flat()).toEqual(['1_first']);
  expect(await query(`select count(*)::int as n from ${schema}.things`)).toEqual([{ n: 1 }]);
});

test('a migration that fails leaves nothing behind and can be mended', async () => {
  write('1_first', 'create table things (a int); insert into things values (1 / 0)');
  await expect(apply()).rejects.toThrow(/1_first failed: .*division by zero/);
  write('1_first', 'create table things (a int)');
  expect(await apply()).toEqual(['1_first']);
});

test('a migration that was edited after it was applied is refused by name', async () => {
  write('1_first', 'create table things (a int)');
  await apply();
  write('1_first', 'create table things (a bigint)');
  await expect(apply()).rejects.toThrow(/1_first was edited after it was applied/);
});
