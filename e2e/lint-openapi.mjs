// Reads an OpenAPI document from standard input, prints what Redocly's linter finds, as JSON. (Its library is an ES module, which jest cannot load.)
import { createConfig, lintFromString } from '@redocly/openapi-core';

let source = '';
for await (const chunk of process.stdin) source += chunk;
// Two operations may share a shape of path: `/carriers/{id}` and `/carriers/default` are told apart by the router.
const config = await createConfig({
  extends: ['recommended'],
  rules: { 'operation-4xx-response': 'error', 'no-ambiguous-paths': 'off' },
});
const problems = await lintFromString({ source, config });
console.log(
  JSON.stringify(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
  ),
);
