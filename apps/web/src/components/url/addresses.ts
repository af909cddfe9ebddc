/** Every address of the dashboard, in one place. */
export const addresses = {
  clusters: () => "/",
  overview: (cluster: string) => `/c/${cluster}`,
  nodes: (cluster: string) => `/c/${cluster}/nodes`,
  node: (cluster: string, name: string, tab?: string) =>
    `/c/${cluster}/nodes/${encodeURIComponent(name)}${tab === undefined ? "" : `?tab=${tab}`}`,
  runs: (cluster: string, filter?: string) =>
    `/c/${cluster}/runs${filter === undefined ? "" : `?q=${encodeURIComponent(filter)}`}`,
  /** Of the runs that began within a stretch of time, milliseconds since the epoch. */
  runsBetween: (cluster: string, from: number, to: number) =>
    `/c/${cluster}/runs?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`,
  run: (cluster: string, id: string) => `/c/${cluster}/runs/${id}`,
  actions: (cluster: string) => `/c/${cluster}/actions`,
  action: (cluster: string, id: string) => `/c/${cluster}/actions/${id}`,
  audit: (cluster: string, query = "") => `/c/${cluster}/audit${query}`,
  settings: (section = "users") => `/settings/${section}`,
} as const;
