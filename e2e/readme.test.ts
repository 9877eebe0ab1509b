import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { newDataDir, root, startPlatformProcess, type PlatformProcess } from './platform-process.js';

jest.setTimeout(240_000);

/** The commands of a page: its ```bash blocks. */
function commandsOf(file: string): string {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('\n');
}

let platform: PlatformProcess;
let dataDir: string;
beforeAll(async () => {
  dataDir = newDataDir();
  // The tour waits for two failed probes; a shorter period shortens the test, not the tour.
  platform = await startPlatformProcess(dataDir, { HEALTH_CHECK_PERIOD_SECONDS: '2' });
});
afterAll(async () => {
  await platform.stop();
  fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

function run(script: string): { status: number | null; output: string } {
  const commands = script.replaceAll('.data/demo.env', path.join(dataDir, 'demo.env'));
  const env = { ...process.env, TRUNKLINE_DATA_DIR: dataDir, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, output: stdout + stderr };
}

test('every command of the tour in README.md works, in its order', () => {
  const { status, output } = run(commandsOf('README.md'));
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  expect(output).toContain('VALIDATION_FAILED');
  expect(output).toContain('sip_port');
  expect(output).toMatch(/Reliable/);
  expect(output).not.toContain('s3cret-s3cret');
});

test.each(fs.readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md')))(
  'every command of docs/%s works',
  (file) => {
    const commands = commandsOf(`docs/${file}`);
    if (!commands) return;
    const { status, output } = run(commands);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  },
);
