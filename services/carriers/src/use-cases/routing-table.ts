import { createCursors } from '../domain/routing/cursors.js';
import type { RouteIndex } from '../domain/routing/route-index.js';
import type { RoutePool } from '../domain/routing/tier-walk.js';
import { PLATFORM } from '../storage/carriers.js';
import type { FeedPosition } from '../storage/routing-changes.js';
import type { PackedRoutes } from '../storage/routing-snapshot.js';

/** What is held of one owner. */
export interface OwnerRoutes {
  index: RouteIndex;
  /** What the index was built from, by carrier: a change of one carrier's routes loads only these. */
  packed: ReadonlyMap<string, PackedRoutes>;
}

/**
 * What one replica routes by: all owners' routes in memory, so that a decision asks nobody. `refresh-routing` keeps it
 * fresh. Every index is immutable and swapped whole: a decision under way goes on with the one it began with.
 */
export class RoutingTable {
  /** The round-robin of this replica. */
  readonly cursors = createCursors();
  private owners = new Map<string, OwnerRoutes>();
  private withoutDefaults = new Set<string>();
  /** How far the feed of changes is worked in; undefined before the first load. */
  position: FeedPosition | undefined;

  /** The routes that compete for a call of an account. */
  poolOf({ auth_id, account_id }: { auth_id: string; account_id: string }): RoutePool {
    return {
      own: this.owners.get(auth_id)?.index,
      defaults: this.withoutDefaults.has(account_id) ? undefined : this.owners.get(PLATFORM)?.index,
    };
  }

  routesOf(owner: string): OwnerRoutes | undefined {
    return this.owners.get(owner);
  }

  /** Swaps everything. */
  replace(owners: Map<string, OwnerRoutes>, accountsWithoutDefaults: Iterable<string>): void {
    this.owners = owners;
    this.withoutDefaults = new Set(accountsWithoutDefaults);
  }

  /** Swaps one owner's routes; undefined when it has no carrier any more. */
  putOwner(owner: string, routes: OwnerRoutes | undefined): void {
    if (routes) this.owners.set(owner, routes);
    else this.owners.delete(owner);
  }

  switchDefaults(accountId: string, enabled: boolean): void {
    if (enabled) this.withoutDefaults.delete(accountId);
    else this.withoutDefaults.add(accountId);
  }
}
