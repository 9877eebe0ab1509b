interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A client that connects on first use; one whose connecting failed is replaced at the next use. */
export function lastingConnection<Client extends Connectable>(
  create: () => Client,
): { use<T>(work: (client: Client) => Promise<T>): Promise<T>; close(): Promise<void> } {
  let current: Promise<Client> | undefined;
  const connected = () => {
    if (current) return current;
    const client = create();
    const connecting = client.connect().then(() => client);
    current = connecting;
    connecting.catch(() => {
      if (current === connecting) current = undefined;
    });
    return connecting;
  };
  return {
    use: async (work) => work(await connected()),
    async close() {
      const client = await current?.catch(() => undefined);
      await client?.disconnect().catch(() => undefined);
    },
  };
}
