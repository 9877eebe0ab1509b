import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

const caller = accountCaller(1);
const path = `/v1/account/${caller.auth_id}/carriers`;
const api = () => carriers.as(caller);
const input = { name: 'Acme SIP', sip_host: 'sip.acme.example' };
const create = async (body: object = input) => (await api().post(path).send(body).expect(201)).body;
const read = async (id: string) => (await api().get(`${path}/${id}`).expect(200)).body;
const db = () => carriers.deps.db;

describe('a password', () => {
  test('is sealed for its carrier and shows nowhere: not in answers, logs or tables', async () => {
    const secret = 'Planted-Passw0rd';
    const { id, ...created } = await create({ ...input, auth_password: secret });
    const sealed = (await db().carrier.findUniqueOrThrow({ where: { id } })).authPasswordSealed ?? '';
    expect(carriers.deps.secrets.open(sealed, `carrier:${id}`)).toBe(secret);
    const answers = [
      created,
      await read(id),
      (await api().get(path)).body,
      (await api().put(`${path}/${id}`).send({ auth_password: secret })).body,
      (
        await api()
          .put(`${path}/${id}`)
          .send({ auth_password: `${secret}\r\n` })
          .expect(400)
      ).body,
      (
        await api()
          .put(`${path}/${id}`)
          .send({ auth_password: [secret] })
          .expect(400)
      ).body,
      (
        await api()
          .post(path)
          .send({ auth_password: secret.repeat(20) })
          .expect(400)
      ).body,
    ];
    expect(JSON.stringify(answers)).not.toMatch(/Planted-Passw0rd|sealed/i);
    expect(carriers.logged()).not.toContain(secret);
    expect(await dumpOfAllTables()).not.toContain(secret);
  });

  test('is replaced by a rotation and kept by any other change', async () => {
    const { id } = await create({ ...input, auth_password: 'old' });
    const sealed = async () =>
      (await db().carrier.findUniqueOrThrow({ where: { id } })).authPasswordSealed ?? '';
    const old = await sealed();
    await api().put(`${path}/${id}`).send({ name: 'x' }).expect(200);
    expect(await sealed()).toBe(old);
    await api().put(`${path}/${id.toUpperCase()}`).send({ auth_password: 'new' }).expect(200);
    expect(carriers.deps.secrets.open(await sealed(), `carrier:${id}`)).toBe('new');
  });

  async function dumpOfAllTables(): Promise<string> {
    const tables = await db().$queryRaw<{ table_name: string }[]>`
      select table_name from information_schema.tables where table_schema = current_schema()`;
    const rows = await Promise.all(
      tables.map(({ table_name: name }) => db().$queryRawUnsafe(`select t::text as row from "${name}" t`)),
    );
    return JSON.stringify(rows);
  }
});
