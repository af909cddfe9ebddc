import { pathSegment } from "@cloudwright/core/model/values/path-segment";

/** All addresses of the dashboard. */
export const addresses = {
  clusters: () => "/",
  /** Searches all clusters for a text. */
  findInClusters: (text: string) => `/?q=${encodeURIComponent(text)}`,
  compare: () => "/compare",
  overview: (cluster: string) => `/c/${pathSegment(cluster)}`,
  nodes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/nodes${query}`,
  /** The nodes, with how long they took to initialise in the last seven days. */
  initialisation: (cluster: string) => `/c/${pathSegment(cluster)}/nodes?init=-7d`,
  node: (cluster: string, name: string, tab?: string) =>
    `/c/${pathSegment(cluster)}/nodes/${pathSegment(name)}${tab === undefined ? "" : `?tab=${tab}`}`,
  balancers: (cluster: string) => `/c/${pathSegment(cluster)}/load-balancers`,
  /** The load balancer of a Service, given as `namespace/name`. */
  balancer: (cluster: string, service: string, tab?: string) =>
    `/c/${pathSegment(cluster)}/load-balancers/${service.split("/").map(pathSegment).join("/")}${tab === undefined ? "" : `?tab=${tab}`}`,
  /** Load balancers without a Service; with a text, those that have it in their name, id or address. */
  orphans: (cluster: string, text?: string) =>
    `/c/${pathSegment(cluster)}/load-balancers?view=orphans${text === undefined ? "" : `&q=${encodeURIComponent(text)}`}`,
  routes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/routes${query}`,
  /** The routes, with those of one node beside the list, the given pod range first. */
  nodeRoutes: (cluster: string, name: string, cidr?: string) =>
    `/c/${pathSegment(cluster)}/routes?peek=${encodeURIComponent(cidr === undefined ? name : `${name}/${cidr}`)}`,
  topology: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/topology${query}`,
  volumes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/volumes${query}`,
  volume: (cluster: string, name: string) =>
    `/c/${pathSegment(cluster)}/volumes?peek=${encodeURIComponent(name)}`,
  /** The page of an object whose kind has no page of its own; `name` includes the namespace if there is one. */
  object: (cluster: string, kind: string, name: string) =>
    `/c/${pathSegment(cluster)}/objects/${[kind, ...name.split("/")].map(pathSegment).join("/")}`,
  dryRun: (cluster: string) => `/c/${pathSegment(cluster)}/dry-run`,
  /** What an earlier controller manager left behind. */
  takeover: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/takeover${query}`,
  runs: (cluster: string, filter?: string) =>
    `/c/${pathSegment(cluster)}/runs${filter === undefined ? "" : `?q=${encodeURIComponent(filter)}`}`,
  /** The runs that began within a stretch of time, in milliseconds since the epoch. */
  runsBetween: (cluster: string, from: number, to: number) =>
    `/c/${pathSegment(cluster)}/runs?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  /** The same with a filter. */
  runsWithin: (
    cluster: string,
    { from, to }: { readonly from: number; readonly to: number },
    filter: string,
  ) =>
    `/c/${pathSegment(cluster)}/runs?q=${encodeURIComponent(filter)}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  /** `span` is the bar whose details are open, by its own id or its request's id. */
  run: (cluster: string, id: string, span?: string) =>
    `/c/${pathSegment(cluster)}/runs/${pathSegment(id)}${span === undefined ? "" : `?span=${encodeURIComponent(span)}`}`,
  /** The run that made this cloud call, or the runs that share it. */
  request: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/requests/${pathSegment(id)}`,
  /** Every run that made or shares this cloud call, however old. */
  requestRuns: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/runs?q=${encodeURIComponent(`request:${id}`)}&from=all`,
  /** The objects that differ between two times. */
  changes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/changes${query}`,
  actions: (cluster: string) => `/c/${pathSegment(cluster)}/actions`,
  action: (cluster: string, id: string) => `/c/${pathSegment(cluster)}/actions/${pathSegment(id)}`,
  /** The actions that were requested together. */
  batch: (cluster: string, batch: string) =>
    `/c/${pathSegment(cluster)}/actions/batches/${pathSegment(batch)}`,
  audit: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/audit${query}`,
  /** The incidents that users have shared. */
  incidents: (cluster: string) => `/c/${pathSegment(cluster)}/incidents`,
  incident: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/incidents/${pathSegment(id)}`,
  /** The address to send to others; it leads to the same page. */
  sharedIncident: (id: string) => `/incidents/${pathSegment(id)}`,
  /** A list by the last segment of its address, as saved views keep it. */
  list: (cluster: string, page: string, search: string) =>
    `/c/${pathSegment(cluster)}/${pathSegment(page)}${search === "" ? "" : `?${search}`}`,
  controllers: (cluster: string) => `/c/${pathSegment(cluster)}/controllers`,
  budget: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/budget${query}`,
  settings: (section = "users") => `/settings/${pathSegment(section)}`,
} as const;
