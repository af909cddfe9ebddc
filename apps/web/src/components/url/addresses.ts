import { pathSegment } from "@cloudwright/core/model/values/path-segment";

/** Every address of the dashboard, in one place. */
export const addresses = {
  clusters: () => "/",
  /** Whatever a text means in any cluster. */
  findInClusters: (text: string) => `/?q=${encodeURIComponent(text)}`,
  compare: () => "/compare",
  overview: (cluster: string) => `/c/${pathSegment(cluster)}`,
  nodes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/nodes${query}`,
  /** With how long nodes took to initialise in the last seven days. */
  initialisation: (cluster: string) => `/c/${pathSegment(cluster)}/nodes?init=-7d`,
  node: (cluster: string, name: string, tab?: string) =>
    `/c/${pathSegment(cluster)}/nodes/${pathSegment(name)}${tab === undefined ? "" : `?tab=${tab}`}`,
  balancers: (cluster: string) => `/c/${pathSegment(cluster)}/load-balancers`,
  /** Of a Service by `namespace/name`. */
  balancer: (cluster: string, service: string, tab?: string) =>
    `/c/${pathSegment(cluster)}/load-balancers/${service.split("/").map(pathSegment).join("/")}${tab === undefined ? "" : `?tab=${tab}`}`,
  /** Load balancers without a Service; of them those that have this text in a name, id or address. */
  orphans: (cluster: string, text?: string) =>
    `/c/${pathSegment(cluster)}/load-balancers?view=orphans${text === undefined ? "" : `&q=${encodeURIComponent(text)}`}`,
  routes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/routes${query}`,
  /** With the routes of one node beside the list, one of its pod ranges first. */
  nodeRoutes: (cluster: string, name: string, cidr?: string) =>
    `/c/${pathSegment(cluster)}/routes?peek=${encodeURIComponent(cidr === undefined ? name : `${name}/${cidr}`)}`,
  topology: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/topology${query}`,
  volumes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/volumes${query}`,
  volume: (cluster: string, name: string) =>
    `/c/${pathSegment(cluster)}/volumes?peek=${encodeURIComponent(name)}`,
  /** Of an object that has no page of its kind's own; `name`: with its namespace, where it has one. */
  object: (cluster: string, kind: string, name: string) =>
    `/c/${pathSegment(cluster)}/objects/${[kind, ...name.split("/")].map(pathSegment).join("/")}`,
  dryRun: (cluster: string) => `/c/${pathSegment(cluster)}/dry-run`,
  /** What an earlier manager left. */
  takeover: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/takeover${query}`,
  runs: (cluster: string, filter?: string) =>
    `/c/${pathSegment(cluster)}/runs${filter === undefined ? "" : `?q=${encodeURIComponent(filter)}`}`,
  /** Of the runs that began within a stretch of time, milliseconds since the epoch. */
  runsBetween: (cluster: string, from: number, to: number) =>
    `/c/${pathSegment(cluster)}/runs?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  /** The same, of a filter. */
  runsWithin: (
    cluster: string,
    { from, to }: { readonly from: number; readonly to: number },
    filter: string,
  ) =>
    `/c/${pathSegment(cluster)}/runs?q=${encodeURIComponent(filter)}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  /** `span`: the bar whose details are open, by its own id or by that of its request. */
  run: (cluster: string, id: string, span?: string) =>
    `/c/${pathSegment(cluster)}/runs/${pathSegment(id)}${span === undefined ? "" : `?span=${encodeURIComponent(span)}`}`,
  /** The run that made this cloud call, or its runs where several share it. */
  request: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/requests/${pathSegment(id)}`,
  /** Every run that made or shares this cloud call, however old. */
  requestRuns: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/runs?q=${encodeURIComponent(`request:${id}`)}&from=all`,
  /** Which objects differ at one time from what they were at another. */
  changes: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/changes${query}`,
  actions: (cluster: string) => `/c/${pathSegment(cluster)}/actions`,
  action: (cluster: string, id: string) => `/c/${pathSegment(cluster)}/actions/${pathSegment(id)}`,
  /** What was requested together. */
  batch: (cluster: string, batch: string) =>
    `/c/${pathSegment(cluster)}/actions/batches/${pathSegment(batch)}`,
  audit: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/audit${query}`,
  /** What users have shared of a moment. */
  incidents: (cluster: string) => `/c/${pathSegment(cluster)}/incidents`,
  incident: (cluster: string, id: string) =>
    `/c/${pathSegment(cluster)}/incidents/${pathSegment(id)}`,
  /** Leads to the same: what one sends to others. */
  sharedIncident: (id: string) => `/incidents/${pathSegment(id)}`,
  /** A list by the last part of its address, as a view keeps it. */
  list: (cluster: string, page: string, search: string) =>
    `/c/${pathSegment(cluster)}/${pathSegment(page)}${search === "" ? "" : `?${search}`}`,
  controllers: (cluster: string) => `/c/${pathSegment(cluster)}/controllers`,
  budget: (cluster: string, query = "") => `/c/${pathSegment(cluster)}/budget${query}`,
  settings: (section = "users") => `/settings/${pathSegment(section)}`,
} as const;
