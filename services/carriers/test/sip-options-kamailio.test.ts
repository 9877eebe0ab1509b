import { withPrograms } from '@trunkline/testing';
import { sendOptions, type OptionsTarget } from '../src/adapters/sip-options.js';
import { makeCertificates } from './peers/certificates.js';
import { startKamailio, type Kamailio } from './peers/kamailio.js';

withPrograms('kamailio', 'openssl')('OPTIONS against a real Kamailio', () => {
  let kamailio: Kamailio;
  beforeAll(async () => {
    kamailio = await startKamailio();
  });
  afterAll(() => kamailio?.stop());

  const probe = (transport: OptionsTarget['transport'], change: Partial<OptionsTarget> = {}) =>
    sendOptions({
      address: '127.0.0.1',
      host: '127.0.0.1',
      port: kamailio[`${transport}Port`],
      transport,
      timeoutMs: 2_000,
      userAgent: 'test',
      ca: kamailio.ca,
      ...change,
    });
  const everyTransport = ['udp', 'tcp', 'tls'] as const;

  test.each(everyTransport)('it answers 200 over %s', async (transport) => {
    expect(await probe(transport)).toMatchObject({ ok: true, code: 200, reason: 'OK' });
  });

  test('over TLS by a name of its certificate', async () => {
    expect(await probe('tls', { host: 'sip.carrier.example' })).toMatchObject({ ok: true, code: 200 });
  });

  test('over TLS a foreign authority and a foreign name are refused', async () => {
    const { ca } = await makeCertificates();
    expect(await probe('tls', { ca })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^TLS: /) as string,
    });
    expect(await probe('tls', { host: 'other.example' })).toMatchObject({
      ok: false,
      error: 'TLS: certificate is not for other.example',
    });
  });

  test('once it is killed every transport is refused at once, once it is back it answers again', async () => {
    await kamailio.stop();
    for (const transport of everyTransport) {
      const outcome = await probe(transport);
      expect(outcome).toMatchObject({ ok: false, error: 'connection refused' });
      expect(outcome.responseTimeMs).toBeLessThan(200);
    }
    await kamailio.restart();
    for (const transport of everyTransport) {
      expect(await probe(transport)).toMatchObject({ ok: true, code: 200 });
    }
  });
});
