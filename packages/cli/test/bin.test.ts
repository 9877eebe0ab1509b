import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

let home: string;
let bin: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'trunkline-bin-'));
  fs.mkdirSync(path.join(home, 'bin'));
  bin = path.join(home, 'bin/trunkline.mjs');
  fs.copyFileSync(path.join(__dirname, '../bin/trunkline.mjs'), bin);
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const start = (...args: string[]) => spawnSync(bin, args, { encoding: 'utf8' });

function pretendBuild(run: string): void {
  fs.mkdirSync(path.join(home, 'dist'));
  fs.writeFileSync(path.join(home, 'dist/main.js'), `exports.run = ${run}`);
}

test('before the build it says how to build', () => {
  expect(start('status')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'trunkline is not built: run "pnpm build"\n',
  });
});

test('it hands over the arguments, an --env-file of its own too, and ends with the status', () => {
  pretendBuild('async (argv, io) => (io.stdout.write(JSON.stringify(argv)), 7)');
  const args = ['carriers', '--env-file', '/no/such/file', '--json'];
  expect(start(...args)).toMatchObject({ status: 7, stdout: JSON.stringify(args), stderr: '' });
});

test('a reader that leaves early is no failure', () => {
  pretendBuild(`async (argv, io) => {
    for (let i = 0; i < 2000; i++) await new Promise((resolve) => io.stdout.write('x'.repeat(999) + '\\n', resolve));
    return 0;
  }`);
  const shell = spawnSync('bash', ['-o', 'pipefail', '-c', `"${bin}" | head -n 1`], { encoding: 'utf8' });
  expect(shell).toMatchObject({ status: 0, stdout: `${'x'.repeat(999)}\n`, stderr: '' });
});
