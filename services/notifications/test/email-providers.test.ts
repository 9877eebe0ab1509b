import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAddressPolicy, createOutboundHttp } from '@trunkline/outbound-http';
import { SMTPServer } from 'smtp-server';
import type { OutgoingEmail } from '../src/adapters/email-provider.js';
import { createPostmarkEmail } from '../src/adapters/postmark-email.js';
import { createSmtpEmail } from '../src/adapters/smtp-email.js';

const email: OutgoingEmail = {
  ...{ id: '6a1d8e3c-0f52-4b97-a4c6-2e9b7d5f1c80', to: 'ada@example.com', subject: 'Für Ada' },
  templateId: 'order-shipped',
  template: { subject: 'unused', html: '<p>{{name}} {{missing}}{{{name}}}</p>', text: '{{name}}' },
  data: { name: '<Ada & Co>' },
};
const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe('a mail server', () => {
  async function mailServer(options: { refuse?: number; refuseLogin?: boolean } = {}) {
    const received: { from: string; to: string[]; text: string }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_auth, _session, callback) =>
        options.refuseLogin ? callback(new Error('no')) : callback(null, { user: 'x' }),
      onRcptTo(_address, _session, callback) {
        if (!options.refuse) return callback();
        callback(Object.assign(new Error('refused'), { responseCode: options.refuse }));
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString(),
          });
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo;
    return { received, port };
  }
  const smtp = (port: number, login = '') => {
    const provider = createSmtpEmail({
      url: `smtp://${login}127.0.0.1:${port}`,
      from: 'Trunkline <no-reply@trunkline.example>',
    });
    cleanUps.push(() => provider.close?.());
    return provider;
  };

  test('gets the filled template, escaped in html, from our sender to this one recipient', async () => {
    const { received, port } = await mailServer();
    const messageId = `<${email.id}@trunkline.example>`;
    expect(await smtp(port).send(email)).toEqual({ kind: 'sent', messageId });
    const [{ from, to, text }] = received as [(typeof received)[0]];
    expect([from, to]).toEqual(['no-reply@trunkline.example', ['ada@example.com']]);
    expect(text).toContain('<p>&lt;Ada &amp; Co&gt; <Ada & Co></p>');
    expect(text).toMatch(/^Subject: =\?UTF-8\?/im);
    expect(text).toContain(`Message-ID: ${messageId}`);
  });

  test.each([
    [550, 'refused'],
    [451, 'unavailable'],
  ])('that answers %i has %s it', async (refuse, kind) => {
    const { port } = await mailServer({ refuse });
    expect(await smtp(port).send(email)).toEqual({ kind, reason: `smtp_${refuse}` });
  });

  test('that does not let us in, or is away, is unavailable', async () => {
    const { port } = await mailServer({ refuseLogin: true });
    expect(await smtp(port, 'user:wrong@').send(email)).toMatchObject({ kind: 'unavailable' });
    expect(await smtp(1).send(email)).toMatchObject({ kind: 'unavailable' });
  });
});

describe('Postmark', () => {
  async function postmark(status: number, answer: string) {
    const requests: { url?: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({ url: request.url ?? '', headers: request.headers, body });
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outboundHttp = createOutboundHttp({
      policy: createAddressPolicy({ allowLoopback: true }),
      allowHttpOnLoopback: true,
    });
    cleanUps.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    cleanUps.push(() => outboundHttp.close());
    const provider = createPostmarkEmail({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      ...{
        serverToken: 'the-token',
        messageStream: 'outbound',
        from: 'no-reply@trunkline.example',
        outboundHttp,
      },
    });
    return { requests, provider };
  }

  test('gets the data and the alias of its own template', async () => {
    const { requests, provider } = await postmark(200, '{"ErrorCode":0,"Message":"OK","MessageID":"m-1"}');
    expect(await provider.send(email)).toEqual({ kind: 'sent', messageId: 'm-1' });
    expect(requests).toMatchObject([
      { url: '/email/withTemplate', headers: { 'x-postmark-server-token': 'the-token' } },
    ]);
    expect(JSON.parse(requests[0]!.body)).toEqual({
      From: 'no-reply@trunkline.example',
      To: 'ada@example.com',
      TemplateAlias: 'order-shipped',
      TemplateModel: { subject: 'Für Ada', name: '<Ada & Co>' },
      MessageStream: 'outbound',
      Metadata: { email_id: email.id },
    });
  });

  test.each<[number, string, string, string]>([
    [422, '{"ErrorCode":406,"Message":"inactive recipient"}', 'refused', 'postmark_406'],
    [401, '{"ErrorCode":10,"Message":"bad token"}', 'unavailable', 'postmark_10'],
    [429, '{}', 'unavailable', 'postmark_429'],
    [500, '<html>', 'unavailable', 'postmark_500'],
    [200, 'null', 'unavailable', 'postmark_200'],
  ])('that answers %i %s: %s', async (status, answer, kind, reason) => {
    const { provider } = await postmark(status, answer);
    expect(await provider.send(email)).toEqual({ kind, reason });
  });
});
