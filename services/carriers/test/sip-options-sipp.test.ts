import { withPrograms } from '@trunkline/testing';
import { sendOptions } from '../src/adapters/sip-options.js';
import { isAlive } from '../src/domain/sip/is-alive.js';
import { startSipp, type Sipp } from './peers/sipp.js';

withPrograms('sipp')('OPTIONS against a real sipp', () => {
  let sipp: Sipp | undefined;
  afterEach(() => sipp?.stop());

  describe.each(['udp', 'tcp'] as const)('over %s', (transport) => {
    test.each([
      [200, true],
      [404, true],
      [503, false],
    ])('%i: alive is %p', async (status, alive) => {
      sipp = await startSipp({ transport, status });
      const target = { address: '127.0.0.1', host: 'localhost', port: sipp.port, transport };
      for (let probe = 0; probe < 3; probe++) {
        const outcome = await sendOptions({ ...target, timeoutMs: 2_000, userAgent: 'test' });
        expect(outcome).toMatchObject({ ok: true, code: status });
        expect(outcome.ok && isAlive(outcome.code)).toBe(alive);
      }
    });
  });
});
