import { authority, type CallerPair, serverPair } from "../harness/certificates.ts";
import {
  HttpRelay,
  LOOPBACK,
  type RelayedApi,
  type RelayedRequest,
  type RelayRule,
} from "../harness/relays/http-relay.ts";

/** The services behind the proxy, by their type in Keystone's catalog. */
export type Service = "identity" | "compute" | "network" | "load-balancer";

/** Where each service is, without a slash at the end: `http://127.0.0.1:18774`. */
export type Origins = Readonly<Record<Service, string>>;

interface AboutService {
  readonly service: Service;
  /** Without the proxy's prefix: `/v2.0/lbaas/loadbalancers`. */
  readonly route: string;
}

/** One request of a client on its way to a service. */
export interface ServiceCall extends RelayedRequest, AboutService {}
export type ServiceRule = RelayRule<ServiceCall>;

/**
 * All services behind one port with TLS and an authority of its own, each below its type. Keystone's catalog and every link
 * in an answer lead back to it, so that a client that logs in here makes all its calls here.
 */
export interface FaultProxy extends HttpRelay<AboutService> {
  /** What clients log in at. */
  readonly authUrl: string;
  /** The certificate of the authority, as a PEM text. */
  readonly ca: string;
}

/** `address`: of this machine, where clients reach it. */
export async function openFaultProxy(origins: Origins, address = LOOPBACK): Promise<FaultProxy> {
  const signer = await authority("fault proxy");
  const certificate: CallerPair = await serverPair(signer, address);
  const options = { certificate, address };
  const relay = await HttpRelay.open((endpoint) => openstackApi(origins, endpoint), options);
  return Object.assign(relay, { authUrl: `${relay.endpoint}/identity/v3`, ca: signer.cert });
}

function openstackApi(origins: Origins, endpoint: string): RelayedApi<AboutService> {
  const services = Object.entries(origins) as [Service, string][];
  return {
    urlOf: (path) => {
      const { service, route } = split(path);
      return origins[service] + route;
    },
    about: ({ path }) => split(path),
    answer: (text) =>
      services.reduce(
        (shown, [service, origin]) => shown.replaceAll(origin, `${endpoint}/${service}`),
        text,
      ),
    refusal: ({ service }, { status, code, message = `the proxy says ${code}` }) =>
      refusalOf[service](status, code, message),
    keptHeaders: [
      "x-openstack-request-id",
      "content-type",
      "retry-after",
      "x-subject-token",
      "openstack-api-version",
      "x-compute-request-id",
    ],
  };
}

function split(path: string): AboutService {
  const [, service = "", ...rest] = path.split("/");
  if (!isService(service)) throw new Error(`${path} leads to no service`);
  return { service, route: `/${rest.join("/")}` };
}

function isService(word: string): word is Service {
  return Object.hasOwn(refusalOf, word);
}

/** Each service says so in a form of its own. */
const refusalOf: Readonly<
  Record<Service, (status: number, code: string, message: string) => object>
> = {
  identity: (status, code, message) => ({ error: { code: status, title: code, message } }),
  compute: (status, code, message) => ({ [code]: { code: status, message } }),
  network: (_, code, message) => ({ NeutronError: { type: code, message, detail: "" } }),
  "load-balancer": (status, code, message) => ({
    faultcode: status >= 500 ? "Server" : "Client",
    faultstring: `${code}: ${message}`,
    debuginfo: null,
  }),
};

/** `GET servers/detail` and so on, with how often: what a pass costs. */
export function countsOf(calls: readonly ServiceCall[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[nameOf(call)] = (counts[nameOf(call)] ?? 0) + 1;
  return counts;
}

/** What a request is, whichever object it is about: `GET servers/detail`, `PUT routers/ID/add_extraroutes`. */
export function nameOf({ method, route }: ServiceCall): string {
  return `${method} ${pathOf(route)}`;
}

/** Below the service's version. */
export function pathOf(route: string): string {
  const below = route.replace(/^\/v[\d.]+\/(lbaas\/)?/, "");
  return below.replace(/\/tags\/.+/, "/tags/TAG").replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
}

/** Those that change the cloud; a login does not. */
export function writesAmong(calls: readonly ServiceCall[]): readonly ServiceCall[] {
  return calls.filter(({ method, service }) => method !== "GET" && service !== "identity");
}
