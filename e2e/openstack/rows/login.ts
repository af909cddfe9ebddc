import { Agent, request } from "undici";
import { z } from "zod";
import { demand, same } from "../../harness/wait.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";

const catalogSchema = z.object({
  token: z.object({
    catalog: z.array(
      z.object({ type: z.string(), endpoints: z.array(z.object({ url: z.string() })) }),
    ),
  }),
});

/** That the proxy is the only way: a client that trusts its authority alone reaches every service by the catalog. */
export const loginRows: readonly Row[] = [
  row(
    "O-01",
    "Keystone takes the credential through TLS, and its catalog leads back",
    async (env) => {
      const { status, text } = await logIn(env, env.project.credential.secret);
      same(status, 201, "the answer to a login");
      const { catalog } = catalogSchema.parse(JSON.parse(text)).token;
      for (const type of ["compute", "network", "load-balancer", "identity"]) {
        const urls = catalog.find((entry) => entry.type === type)?.endpoints.map(({ url }) => url);
        demand(urls !== undefined && urls.length > 0, `the catalog has no ${type}`);
        const elsewhere = urls.filter((url) => !url.startsWith(`${env.proxy.endpoint}/${type}`));
        same(elsewhere, [], `endpoints of ${type} that are not the proxy's`);
      }
    },
  ),
  row("O-02", "Keystone refuses a wrong secret with 401", async (env) => {
    const { status } = await logIn(env, "wrong");
    same(status, 401, "the answer to a wrong secret");
  }),
];

async function logIn({ project, proxy }: OpenStackEnvironment, secret: string) {
  const identity = {
    methods: ["application_credential"],
    application_credential: { id: project.credential.id, secret },
  };
  const dispatcher = new Agent({ connect: { ca: proxy.ca } });
  try {
    const answer = await request(`${proxy.authUrl}/auth/tokens`, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ auth: { identity } }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } finally {
    await dispatcher.close();
  }
}
