import type { Command } from 'commander';
import { id } from '../option-values.js';
import { renderRoutePreview } from '../output/route-preview.js';
import { inSession, type Shell } from '../session.js';

interface RouteOptions {
  authId?: string;
}

/** `route explain`: the routing decision for a number and its reasons, over the operator API (decisions 3). */
export function addRoute(program: Command, shell: Shell): void {
  const route = program.command('route').description('routing decisions (operator)');
  route
    .command('explain')
    .description('say which carrier a call would take, and why; takes no channel, changes nothing')
    .argument('<to>', 'the number to call, such as +442071838750')
    .option('--auth-id <auth-id>', 'whose call it is; else that of the settings', id)
    .action(
      inSession(shell, async (session, options: RouteOptions, to: string) => {
        const authId = options.authId ?? session.settings.publicApi().authId;
        const reply = await session
          .operator()
          .send('POST', '/operator/v1/routing/preview', { auth_id: authId, to });
        session.print(reply, (body) => renderRoutePreview(body, authId, session.paint));
      }),
    );
}
