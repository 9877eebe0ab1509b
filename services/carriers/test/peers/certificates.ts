import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificates {
  /** The authority's certificate: what a client has to trust. All three are PEM. */
  ca: string;
  certificate: string;
  key: string;
}

export interface CertificateOptions {
  /** Subject alternative names as openssl writes them. */
  names?: readonly string[];
  /** Days from now to its end; negative for one that has expired. */
  days?: number;
}

const defaultNames = ['IP:127.0.0.1', 'IP:::1', 'DNS:localhost', 'DNS:sip.carrier.example'];

/** A new authority and one server certificate signed by it, made by openssl. */
export async function makeCertificates(options: CertificateOptions = {}): Promise<Certificates> {
  const { names = defaultNames, days = 2 } = options;
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'trunkline-certificates-'));
  const openssl = (...args: string[]): Promise<unknown> => run('openssl', args, { cwd: folder });
  const read = (name: string): Promise<string> => fs.readFile(path.join(folder, name), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout'];
  const subject = ['-subj', '/CN=SIP test peer', '-addext', `subjectAltName=${names.join(',')}`];
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', String(days)];
  try {
    await openssl('req', '-x509', ...newKey, 'ca-key.pem', '-subj', '/CN=Test authority', '-out', 'ca.pem');
    await openssl('req', '-new', ...newKey, 'key.pem', ...subject, '-out', 'request.pem');
    await openssl(
      'x509',
      '-req',
      '-in',
      'request.pem',
      ...signer,
      '-copy_extensions',
      'copy',
      '-out',
      'peer.pem',
    );
    return { ca: await read('ca.pem'), certificate: await read('peer.pem'), key: await read('key.pem') };
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
