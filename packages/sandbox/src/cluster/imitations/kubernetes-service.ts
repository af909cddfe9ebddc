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
/** The first address of the first service range, which upstream assigns to the API server. */
const ADDRESS = "10.96.0.1";
const PORT = { name: "https", port: 443, protocol: "TCP" };

/**
 * Keeps the Service by which pods would reach the API server: it exists from the start, is recreated when deleted, and follows the server's
 * port. Its endpoints exist unless the server listens on loopback, where pods could not reach it. Returns a function that stops it.
 */
export function keepKubernetesService(registry: Registry, server: URL): () => void {
  const port = Number(server.port);
  write(registry, services, serviceOf(port));
  const host = server.hostname.replace(/^\[|\]$/g, "");
  if (isReachable(host)) writeEndpoints(registry, host, port);
  return registry.store.listen(({ kind, storage, revision }) => {
    const isOurs = storage === services.storage && revision.key === keyOf(NAMESPACE, NAME);
    if (kind === "deleted" && isOurs) {
      // In a later turn, when the write that triggered this is complete for everybody.
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
  // Endpoint slices cannot be created by PUT, but this is the server itself.
  const creatable = { ...target, definition: { ...definition, createOnUpdate: true } };
  replaceObject(registry, creatable, { object, dryRun: false });
}
