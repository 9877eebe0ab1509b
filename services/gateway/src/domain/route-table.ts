/** What the table needs to know of an operation. */
export interface Operation {
  service: string;
  method: string;
  path: string;
  audience: 'account' | 'operator';
}

/** Where an operation lives. */
export interface TableEntry {
  service: string;
  /** The pattern, for logs and metrics. */
  path: string;
  /** Positions of the path segments that must be the caller's own Auth ID. */
  ownIdAt: readonly number[];
}

interface Node {
  fixed: Map<string, Node>;
  parameter?: Node;
  entries?: Map<string, TableEntry>;
  allow: string;
}

export type Match = { entry: TableEntry; segments: readonly string[] } | { allow: string } | undefined;

/** The spellings that the specification uses for the caller's own Auth ID in a path. */
const OWN_ID = new Set([':auth_id', ':accountID', ':account_id']);

/** A trie over path segments, made from the services' own route definitions. */
export class RouteTable {
  private readonly root: Node = emptyNode();

  constructor(operations: readonly Operation[], audience: Operation['audience']) {
    for (const operation of operations) if (operation.audience === audience) this.add(operation);
  }

  /** @param path the raw path of the request, without the query */
  match(method: string, path: string): Match {
    const segments = path.split('/');
    let node: Node | undefined = segments[0] === '' ? this.root : undefined;
    for (let i = 1; i < segments.length && node; i++) {
      const segment = segments[i] as string;
      node = segment === '' ? undefined : (node.fixed.get(segment) ?? node.parameter);
    }
    if (!node?.entries) return undefined;
    const entry = node.entries.get(method === 'HEAD' ? 'GET' : method);
    return entry ? { entry, segments } : { allow: node.allow };
  }

  private add(operation: Operation): void {
    const segments = operation.path.split('/');
    let node = this.root;
    for (const segment of segments.slice(1)) {
      if (segment.startsWith(':')) node = node.parameter ??= emptyNode();
      else {
        const next = node.fixed.get(segment) ?? emptyNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.entries ??= new Map();
    node.entries.set(operation.method.toUpperCase(), {
      service: operation.service,
      path: operation.path,
      ownIdAt: segments.flatMap((segment, i) => (OWN_ID.has(segment) ? [i] : [])),
    });
    const methods = [...node.entries.keys()];
    node.allow = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).sort().join(', ');
  }
}

function emptyNode(): Node {
  return { fixed: new Map(), allow: '' };
}

/** True when every segment that must be the caller's own Auth ID is it (specification, Authentication 4). */
export function ownsPath(entry: TableEntry, segments: readonly string[], authId: string): boolean {
  for (const position of entry.ownIdAt) if (segments[position] !== authId) return false;
  return true;
}
