/** Every address of the dashboard, in one place. */
export const addresses = {
  clusters: () => "/",
  cluster: (cluster: string) => `/c/${cluster}`,
  nodes: (cluster: string) => `/c/${cluster}/nodes`,
  node: (cluster: string, name: string, tab?: string) =>
    `/c/${cluster}/nodes/${encodeURIComponent(name)}${tab === undefined ? "" : `?tab=${tab}`}`,
  runs: (cluster: string, filter?: string) =>
    `/c/${cluster}/runs${filter === undefined ? "" : `?q=${encodeURIComponent(filter)}`}`,
  run: (cluster: string, id: string) => `/c/${cluster}/runs/${id}`,
  actions: (cluster: string) => `/c/${cluster}/actions`,
  action: (cluster: string, id: string) => `/c/${cluster}/actions/${id}`,
} as const;
