import { checkUserUrl } from './check-user-url.js';

test.each([
  'https://hooks.example/a?b=c',
  'https://hooks.example:8443',
  'https://[2606:4700::1]/',
  'https://bücher.example/',
])('%s is acceptable', (url) => {
  expect(checkUserUrl(url)).toBeUndefined();
});

test('a host with letters beyond ASCII stays acceptable however often it is asked', () => {
  // URL.canParse of Node 20 changes its mind once the engine has optimised the call.
  const refused = Array.from({ length: 50_000 }, () => checkUserUrl('https://bücher.example/')).filter(
    Boolean,
  );
  expect(refused).toEqual([]);
});

test.each([
  ['', 'must be an absolute URL'],
  ['hooks.example', 'must be an absolute URL'],
  ['/path', 'must be an absolute URL'],
  ['https://', 'must be an absolute URL'],
  ['https://hooks.example/a b', 'must be an absolute URL'],
  [' https://hooks.example/', 'must be an absolute URL'],
  ['https://hooks.exa\nmple/', 'must be an absolute URL'],
  ['https://hooks.example:99999/', 'must be an absolute URL'],
  ['http://hooks.example/', 'must use https'],
  ['http://localhost/', 'must use https'],
  ['ftp://hooks.example/', 'must use https'],
  ['file:///etc/passwd', 'must use https'],
  ['javascript:alert(1)', 'must use https'],
  ['https://user@hooks.example/', 'must not contain a user name or a password'],
  ['https://user:pass@hooks.example/', 'must not contain a user name or a password'],
  ['https://:pass@hooks.example/', 'must not contain a user name or a password'],
])('%p: %s', (url, refusal) => {
  expect(checkUserUrl(url)).toBe(refusal);
});

test.each([
  'http://localhost:8080/',
  'http://localhost./',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://[::1]:80/',
])('plain http on %s is acceptable where loopback is', (url) => {
  expect(checkUserUrl(url, { allowHttpOnLoopback: true })).toBeUndefined();
  expect(checkUserUrl(url)).toBe('must use https');
});

test.each(['http://hooks.example/', 'http://10.0.0.1/', 'http://0.0.0.0/', 'http://localhost.example/'])(
  'plain http on %s stays refused where loopback is acceptable',
  (url) => {
    expect(checkUserUrl(url, { allowHttpOnLoopback: true })).toBe('must use https');
  },
);
