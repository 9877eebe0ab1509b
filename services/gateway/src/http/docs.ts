import fs from 'node:fs';
import type { OpenApiDocument } from '@trunkline/http';
import type { Page } from './door.js';

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
};

/** The API document as it was built at start. */
export function documentPage(document: OpenApiDocument): Page {
  const body = Buffer.from(JSON.stringify(document));
  return page(body, 'application/json; charset=utf-8');
}

/** `/docs` renders the document with Swagger UI, served from here: no asset comes from the internet. */
export function docsPages(document: OpenApiDocument, documentPath: string): Map<string, Page> {
  const asset = (name: string) => fs.readFileSync(require.resolve(`swagger-ui-dist/${name}`));
  return new Map<string, Page>([
    [documentPath, documentPage(document)],
    ['/docs', page(Buffer.from(html(documentPath)), 'text/html; charset=utf-8')],
    ['/docs/swagger-ui.css', page(asset('swagger-ui.css'), 'text/css; charset=utf-8')],
    ['/docs/swagger-ui-bundle.js', page(asset('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8')],
  ]);
}

function page(body: Buffer, type: string): Page {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': type,
      'Content-Length': body.length,
      'Cache-Control': 'max-age=60',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function html(documentPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trunkline API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({ url: ${JSON.stringify(documentPath)}, dom_id: '#docs', deepLinking: true, docExpansion: 'list', defaultModelsExpandDepth: 0 });
</script>
</body>
</html>
`;
}
