/** Returns `Nodes · prod-eu · Cloudwright`, which tells the same page of two clusters apart in two tabs (WCAG 2.4.2). */
export function windowTitle(title: string, cluster: string | undefined): string {
  return [title, ...(cluster === undefined ? [] : [cluster]), "Cloudwright"].join(" · ");
}

/** Returns the title template for all pages of a cluster. */
export function titlesNaming(cluster: string | undefined) {
  return { template: windowTitle("%s", cluster), default: cluster ?? "Cloudwright" };
}
