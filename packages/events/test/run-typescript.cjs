/* eslint-disable @typescript-eslint/no-require-imports */
// `node -C @trunkline/source -r run-typescript.cjs file.ts`: runs TypeScript source in a process of its own, as jest does.
const fs = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  const fromSource = parent?.filename?.endsWith('.ts') && /^[.]{1,2}\/.*[.]js$/.test(request);
  return resolve.call(this, fromSource ? request.replace(/js$/, 'ts') : request, parent, ...rest);
};
Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(fs.readFileSync(filename, 'utf8'), {
    filename,
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    swcrc: false,
  });
  module._compile(code, filename);
};
