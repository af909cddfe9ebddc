import pg from "pg";

/** One connection, opened when it is needed and again after it was lost. */
export interface Connection {
  /** Throws when the database cannot be reached within 5 s. */
  client(): Promise<pg.Client>;
  isOpen(): boolean;
  /** Ends it at once, also in the middle of a query; that then fails. */
  drop(): void;
}

/** A statement that takes longer than this is given up: the server may be half gone. */
const STATEMENT_MS = 60_000;

/** `onHeard` is told when the server has connected and each time that it has answered all it was asked. */
export function lazyConnection(
  databaseUrl: string,
  onHeard: () => void = () => undefined,
): Connection {
  let open: pg.Client | undefined;
  const forget = (client: pg.Client) => {
    if (open === client) open = undefined;
  };
  return {
    async client() {
      if (open !== undefined) return open;
      const client = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: 5_000,
        query_timeout: STATEMENT_MS,
        keepAlive: true,
        application_name: "cloudwright",
      });
      // A loss between two queries only means to connect anew.
      client.on("error", () => forget(client));
      client.on("end", () => forget(client));
      client.on("drain", onHeard);
      await client.connect();
      onHeard();
      open = client;
      return client;
    },
    isOpen: () => open !== undefined,
    drop() {
      const client = open;
      open = undefined;
      client?.end().catch(() => undefined);
    },
  };
}
