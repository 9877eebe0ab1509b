import { probeTarget, type ProbedCarrier } from './probe-target.js';

const carrier: ProbedCarrier = {
  status: 'active',
  sipHost: 'sip.example',
  sipPort: 5061,
  transport: 'tls',
  healthCheckUrl: null,
};

test('a carrier is asked over its own transport at its host and port', () => {
  expect(probeTarget(carrier)).toEqual({ kind: 'sip', host: 'sip.example', port: 5061, transport: 'tls' });
});

test('a health_check_url goes before the host, and stands without one', () => {
  const url = 'https://carrier.example/health';
  expect(probeTarget({ ...carrier, healthCheckUrl: url })).toEqual({ kind: 'http', url });
  expect(probeTarget({ ...carrier, sipHost: null, healthCheckUrl: url })).toEqual({ kind: 'http', url });
});

test('a carrier without a host and a URL is not probed, and neither is a disabled one', () => {
  expect(probeTarget({ ...carrier, sipHost: null })).toBeUndefined();
  expect(probeTarget({ ...carrier, status: 'disabled' })).toBeUndefined();
});
