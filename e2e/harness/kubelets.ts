import { cloudwright, type Started, type StartOptions } from "./processes.ts";
import type { Endpoints } from "./product.ts";

/** Starts kubelets of the sandbox, each with a machine of its own in its cloud. */
export function startKubelets(
  { kubeconfig, cloud }: Pick<Endpoints, "kubeconfig" | "cloud">,
  count: number,
  options: Pick<StartOptions, "log"> = {},
): Started {
  return cloudwright(
    [
      ...["sandbox", "kubelets", "--kubeconfig", kubeconfig, "--cloud", cloud.endpoint],
      ...["--count", String(count), "--zones", "3"],
    ],
    {
      ...options,
      env: { CLOUDWRIGHT_CLOUD_TOKEN: cloud.token, CLOUDWRIGHT_CLOUD_ADMIN: cloud.admin },
    },
  );
}
