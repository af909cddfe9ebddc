import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { parse } from "yaml";
import { z } from "zod";

/** The address of an API server and our credentials there. */
export interface KubeAccess {
  readonly server: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecure: boolean;
}

/**
 * Reads the current context of a kubeconfig: CA, client certificate or token, each as data or as a file beside it. Throws an Error that
 * names the file and the problem.
 */
export async function readKubeconfig(file: string): Promise<KubeAccess> {
  const config = configSchema.safeParse(await parseFile(file));
  if (!config.success) {
    const field = config.error.issues[0]?.path.join(".") ?? "";
    throw new Error(`The kubeconfig ${file} cannot be used: its field ${field} is not valid.`);
  }
  const { contexts, clusters, users, "current-context": current } = config.data;
  const context = named(contexts, current, file).context;
  const { cluster } = named(clusters, context.cluster, file);
  const { user } = named(users, context.user, file);
  const read = (data: string | undefined, path: string | undefined) =>
    decodeOrRead({ data, path }, dirname(file));
  return {
    server: cluster.server.replace(/\/$/, ""),
    serverName: cluster["tls-server-name"],
    insecure: cluster["insecure-skip-tls-verify"] ?? false,
    ca: await read(cluster["certificate-authority-data"], cluster["certificate-authority"]),
    cert: await read(user["client-certificate-data"], user["client-certificate"]),
    key: await read(user["client-key-data"], user["client-key"]),
    token: user.token ?? (await read(undefined, user.tokenFile))?.trim(),
  };
}

async function parseFile(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, "utf8"));
  } catch (cause) {
    const why = messageOf(cause);
    throw new Error(`The kubeconfig ${file} cannot be read (${why}): choose another one.`, {
      cause,
    });
  }
}

const text = z.string().optional();
const configSchema = z.object({
  "current-context": z.string(),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url(),
        "certificate-authority-data": text,
        "certificate-authority": text,
        "tls-server-name": text,
        "insecure-skip-tls-verify": z.boolean().optional(),
      }),
    }),
  ),
  users: z.array(
    z.object({
      name: z.string(),
      user: z.object({
        "client-certificate-data": text,
        "client-certificate": text,
        "client-key-data": text,
        "client-key": text,
        token: text,
        tokenFile: text,
      }),
    }),
  ),
});

function named<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  file: string,
): Entry {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) {
    throw new Error(`The kubeconfig ${file} cannot be used: it has no entry named ${name}.`);
  }
  return entry;
}

async function decodeOrRead(
  { data, path }: { readonly data: string | undefined; readonly path: string | undefined },
  folder: string,
): Promise<string | undefined> {
  if (data !== undefined) {
    return Buffer.from(data, "base64").toString();
  }
  return path === undefined ? undefined : await readFile(resolve(folder, path), "utf8");
}
