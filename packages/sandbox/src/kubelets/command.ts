import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { type KubeletsOptions, startKubelets } from "./start-kubelets.ts";

/** `cloudwright sandbox kubelets`: runs until it is told to end; announces `{count}`. */
export async function runKubeletsCommand(options: KubeletsOptions): Promise<void> {
  const { close } = await startKubelets(options);
  await serveUntilStopped({ count: options.count }, close);
}
