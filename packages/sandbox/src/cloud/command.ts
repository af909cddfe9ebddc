import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { type CloudOptions, startCloud } from "./start-cloud.ts";

/** `cloudwright sandbox cloud`: serves until it is told to end; announces `{endpoint, token, admin}`. */
export async function runCloudCommand(options: CloudOptions): Promise<void> {
  const { endpoint, token, admin, close } = await startCloud(options);
  await serveUntilStopped({ endpoint, token, admin }, close);
}
