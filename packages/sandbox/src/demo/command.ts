import type { CloudAddress } from "../cloud/client.ts";
import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { playDemo } from "./play-demo.ts";

export interface DemoCommandOptions {
  readonly cloud: CloudAddress;
  readonly namePrefix: string;
}

/** `cloudwright sandbox demo`: runs until it is told to end. */
export async function runDemoCommand(options: DemoCommandOptions): Promise<void> {
  const over = new AbortController();
  const log = (message: string) => void process.stderr.write(`${message}\n`);
  const played = playDemo({ ...options, signal: over.signal, log });
  await serveUntilStopped({}, async () => {
    over.abort();
    await played;
  });
}
