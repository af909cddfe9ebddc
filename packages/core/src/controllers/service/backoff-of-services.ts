import type { Service } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer-port.ts";
import { type Backoff, CLEANUP_BACKOFF, SERVICE_BACKOFF } from "../../queue/backoff.ts";
import { needsCleanup } from "./purpose.ts";

/** The backoff of each key of the service loop. */
export function backoffOfServices(
  services: Pick<Informer<Service>, "get">,
): (key: string) => Backoff {
  return (key) => {
    const service = services.get(key);
    return service !== undefined && needsCleanup(service) ? CLEANUP_BACKOFF : SERVICE_BACKOFF;
  };
}
