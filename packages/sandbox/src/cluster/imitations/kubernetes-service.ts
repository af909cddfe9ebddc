import { isIP } from "node:net";
import { keyOf, type Registry } from "../registry/context.ts";
import { decodeValue } from "../registry/decode-object.ts";
import { replaceObject } from "../registry/update.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import { endpointSlices } from "../resources/endpoints/endpoint-slice.ts";
import { endpoints } from "../resources/endpoints/endpoints.ts";
import { services } from "../resources/services/services.ts";
import { canonicalAddress } from "../rules/ip-rules.ts";

const NAME = "kubernetes";
const NAMESPACE = "default";
/** The first address of the first service range, which upstream gives to the API server. */
const ADDRESS = "10.96.0.1";
const PORT = { name: "https", port: 443, protocol: "TCP" };

/**
 * The Service by which pods would reach the API server: it exists from the start, comes back when it is deleted, and follows
 * the server's port. Its endpoints are there unless the server listens on loopback, where nobody could reach it. Answers
 * how to stop.
 */
export function keepKubernetesService(registry: Registry, server: URL): () => void {
  const port = Number(server.port);
  write(registry, services, serviceOf(port));
  const host = server.hostname.replace(/^\[|\]$/g, "");
  if (isReachable(host)) writeEndpoints(registry, host, port);
  return registry.store.listen(({ kind, storage, revision }) => {
    const isOurs = storage === services.storage && revision.key === keyOf(NAMESPACE, NAME);
    if (kind === "deleted" && isOurs) {
      // A turn later: the write that triggered this is then complete for everybody.
      setImmediate(() => write(registry, services, serviceOf(port)));
    }
  });
}

function serviceOf(port: number): object {
  return {
    metadata: { name: NAME, labels: { component: "apiserver", provider: NAME } },
    spec: { clusterIP: ADDRESS, ports: [{ ...PORT, targetPort: port }] },
  };
}

const UNREACHABLE = /^(127\.|::1$|0\.0\.0\.0$|::$)/;

function isReachable(host: string): boolean {
  return isIP(host) !== 0 && !UNREACHABLE.test(canonicalAddress(host));
}

function writeEndpoints(registry: Registry, host: string, port: number): void {
  const ports = [{ ...PORT, port }];
  write(registry, endpoints, {
    metadata: { name: NAME, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: host }], ports }],
  });
  write(registry, endpointSlices, {
    metadata: { name: NAME, labels: { "kubernetes.io/service-name": NAME } },
    addressType: isIP(host) === 6 ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports,
  });
}

function write(registry: Registry, definition: ResourceDefinition, value: object): void {
  const { object } = decodeValue(definition, { ...value }, "Ignore");
  const target = { definition, namespace: NAMESPACE, name: NAME };
  // Endpoint slices know no creation by PUT, but this is the server itself.
  const creatable = { ...target, definition: { ...definition, createOnUpdate: true } };
  replaceObject(registry, creatable, { object, dryRun: false });
}
