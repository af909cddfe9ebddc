import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { type DatabaseOptions, startDatabase } from "./start-database.ts";

/** `cloudwright sandbox database`: serves until it is told to end, then stops PostgreSQL; announces `{url, port}`. */
export async function runDatabaseCommand(options: DatabaseOptions): Promise<void> {
  const { url, port, stop } = await startDatabase(options);
  await serveUntilStopped({ url, port }, stop);
}
