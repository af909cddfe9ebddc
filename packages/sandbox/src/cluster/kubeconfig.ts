/** A kubeconfig with one cluster and one user; JSON is YAML, so nothing needs quoting. */
export function kubeconfigText(server: string, authority: string, token: string): string {
  const name = "cloudwright-sandbox";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name,
        cluster: {
          server,
          "certificate-authority-data": Buffer.from(authority).toString("base64"),
        },
      },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name, context: { cluster: name, user: "admin" } }],
    "current-context": name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
