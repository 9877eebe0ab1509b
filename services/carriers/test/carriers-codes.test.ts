import { accountCaller, startTestService, type TestService } from '@trunkline/testing';
import type { Deps } from '../src/deps.js';
import { service } from '../src/service.js';

let carriers: TestService<Deps>;
beforeAll(async () => {
  carriers = await startTestService(service);
});
afterAll(() => carriers.stop());

let callers = 0;
/** A caller of its own for a test: nobody else's carriers are in its list. */
const newCaller = () => accountCaller(++callers + 100);
const input = { name: 'Acme SIP', sip_host: 'sip.acme.example' };
const create = async (body: object, as: ReturnType<typeof newCaller>) =>
  (await carriers.as(as).post('/v1/carriers').send(body).expect(201)).body;

describe('a code', () => {
  test('is the slug of the name, numbered when it is taken, and stays when the name changes', async () => {
    const me = newCaller();
    const codes = [];
    for (let made = 0; made < 3; made++) codes.push((await create({ ...input, name: 'Télé Com' }, me)).code);
    expect(codes).toEqual(['tele-com', 'tele-com-2', 'tele-com-3']);
    const first = await create({ ...input, name: 'First' }, me);
    const renamed = await carriers
      .as(me)
      .put(`/v1/carriers/${first.id}`)
      .send({ name: 'Second' })
      .expect(200);
    expect(renamed.body.code).toBe('first');
  });

  test('of 20 carriers created at once under one name is never given twice', async () => {
    const me = newCaller();
    const made = await Promise.all(Array.from({ length: 20 }, () => create(input, me)));
    const expected = ['acme-sip', ...Array.from({ length: 19 }, (_, index) => `acme-sip-${index + 2}`)];
    expect(made.map(({ code }) => code).sort()).toEqual(expected.sort());
  });

  test('that is given and taken is refused, on create and on change; other owners do not matter', async () => {
    const me = newCaller();
    await create({ ...input, code: 'main' }, me);
    await create({ ...input, code: 'main' }, newCaller());
    const again = await carriers
      .as(me)
      .post('/v1/carriers')
      .send({ ...input, code: 'main' })
      .expect(409);
    expect(again.body.error.code).toBe('CODE_TAKEN');
    const other = await create({ ...input, code: 'spare' }, me);
    const changed = await carriers.as(me).put(`/v1/carriers/${other.id}`).send({ code: 'main' }).expect(409);
    expect(changed.body.error.code).toBe('CODE_TAKEN');
    await carriers.as(me).put(`/v1/carriers/${other.id}`).send({ code: 'spare' }).expect(200);
  });

  test('that 20 creates give at once goes to one of them', async () => {
    const me = newCaller();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        carriers
          .as(me)
          .post('/v1/carriers')
          .send({ ...input, code: 'one' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });
});
