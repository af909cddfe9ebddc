/** `Nodes · prod-eu · Cloudwright`: the same page of two clusters stands in two tabs (WCAG 2.4.2). */
export function windowTitle(title: string, cluster: string | undefined): string {
  return [title, ...(cluster === undefined ? [] : [cluster]), "Cloudwright"].join(" · ");
}

/** The same for all pages of a cluster, each with its own title in it. */
export function titlesNaming(cluster: string | undefined) {
  return { template: windowTitle("%s", cluster), default: cluster ?? "Cloudwright" };
}
