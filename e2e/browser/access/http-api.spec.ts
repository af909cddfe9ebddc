import type { Page } from "@playwright/test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Agent, fetch, type RequestInit } from "undici";
import { settled, sound } from "../fixtures/axe.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: unknown;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: {
    readonly "200": {
      readonly content: {
        readonly "application/json": { readonly schema: { readonly $ref: string } };
      };
    };
  };
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: object;
}

/** Each request has its own connection, because the server may have closed a kept one while the page was busy. */
const ALONE = new Agent({ pipelining: 0 });

/** Sends a request as a script would, without a browser, a cookie or a page. */
async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: "manual", dispatcher: ALONE, ...init });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function createToken(page: Page, name: string): Promise<string> {
  await page.goto("/settings/tokens");
  await page.getByRole("button", { name: "Create token…" }).click();
  const dialog = page.getByRole("dialog", { name: "Create an API token" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = await dialog.getByLabel(`Token ${name}`).inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  return token;
}

test("a token from the settings reads everything in the API description, and nothing once it is revoked", async ({
  page,
  ledger,
}) => {
  test.setTimeout(240_000);
  const api = `${ledger.dashboard.origin}/api/v1`;
  const token = await createToken(page, "a script");
  expect(token).toMatch(/^cwt_[0-9A-Za-z]{49}$/);
  await page.reload();
  await expect(page.getByRole("table", { name: "Your tokens" })).toContainText("a script");
  expect(await page.content(), "the token is shown once").not.toContain(token);

  const description = (await ask(`${api}/openapi.json`)).body as Description;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", components: description.components });
  const names = await namesOf(`${api}/clusters/${CLUSTER}`, token);
  for (const [path, { get }] of Object.entries(description.paths)) {
    const filled = filledIn(path, { ...names, cluster: CLUSTER });
    if (filled === undefined) continue;
    const { status, body } = await ask(`${api}${filled}`, bearer(token));
    expect(status, `${filled}: ${JSON.stringify(body)}`).toBe(200);
    const { $ref } = get.responses["200"].content["application/json"].schema;
    const validate = ajv.getSchema(`api${$ref}`);
    expect(validate?.(body), `${filled}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
  }

  const row = page.getByRole("row").filter({ hasText: "a script" });
  await page.reload();
  await expect(row).not.toContainText("never");
  await row.getByRole("button", { name: /^Revoke a script/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toHaveCount(0);
  const refused = await ask(`${api}/clusters`, bearer(token));
  expect(refused).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  await page.goto(`/c/${CLUSTER}/audit?chain=accounts`);
  const entries = page.getByRole("table", { name: "Audit entries" });
  for (const action of ["Create API token", "Revoke API token", "Refused request"]) {
    await expect(entries.getByRole("row").filter({ hasText: action }).first()).toBeVisible();
  }
});

/** Returns names of the cluster's objects, to fill into paths. */
async function namesOf(api: string, token: string) {
  const first = async (list: string) => {
    const { body } = await ask(`${api}/${list}?limit=1`, bearer(token));
    return (body as { readonly rows: readonly Readonly<Record<string, string>>[] }).rows[0];
  };
  const [node, service, volume, run] = [
    await first("nodes"),
    await first("load-balancers"),
    await first("volumes"),
    await first("runs"),
  ];
  return {
    ...{ "nodes.name": node?.name, "objects.kind": "Node", "objects.name": node?.name },
    ...(service === undefined
      ? {}
      : { "load-balancers.namespace": service.namespace, "load-balancers.name": service.service }),
    ...(volume === undefined ? {} : { "volumes.name": volume.name }),
    ...(run === undefined ? {} : { "runs.id": run.id }),
  };
}

/** The query strings of the paths that need one. */
const QUERIES: Readonly<Record<string, string>> = {
  "/fleet/search": "?text=node",
  "/clusters/{cluster}/search": "?text=node",
  "/clusters/{cluster}/events": "?kind=Node&name=node-1",
};

/** Fills names into the path; returns undefined if the cluster has no such object. */
function filledIn(
  path: string,
  names: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (path.includes("{kind}/{namespace}")) return undefined;
  const group = path.split("/")[3] ?? "";
  let isKnown = true;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    const value = names[name] ?? names[`${group}.${name}`];
    isKnown &&= value !== undefined;
    return encodeURIComponent(value ?? "");
  });
  return isKnown ? `${filled}${QUERIES[path] ?? ""}` : undefined;
}

test("every refused request gets the same kind of answer", async ({ page, ledger }) => {
  const api = `${ledger.dashboard.origin}/api/v1`;
  const token = await createToken(page, "another script");
  const nodes = `${api}/clusters/${CLUSTER}/nodes`;
  const cases: readonly [string, RequestInit, number, object][] = [
    [nodes, {}, 401, { code: "UNAUTHORIZED" }],
    [nodes, bearer("cwt_wrong"), 401, { code: "UNAUTHORIZED" }],
    [nodes, { ...bearer(token), method: "POST", body: "{}" }, 405, { code: "METHOD_NOT_ALLOWED" }],
    [nodes, { ...bearer(token), method: "DELETE" }, 405, { code: "METHOD_NOT_ALLOWED" }],
    [`${nodes}?colour=red`, bearer(token), 400, { parameter: "colour" }],
    [`${nodes}?cursor=x`, bearer(token), 400, { parameter: "cursor" }],
    [`${nodes}?limit=%00`, bearer(token), 400, { parameter: "limit" }],
    [`${nodes}/none`, bearer(token), 404, { code: "NOT_FOUND" }],
    [`${api}/clusters/none/nodes`, bearer(token), 404, { code: "NOT_FOUND" }],
    [`${api}/none`, bearer(token), 404, { code: "NOT_FOUND" }],
    [`${api}/%E0%A4%A`, bearer(token), 400, { code: "BAD_REQUEST" }],
    [nodes, { ...bearer(token), method: "POST", body: "x".repeat(100_000) }, 413, { status: 413 }],
  ];
  for (const [url, init, status, body] of cases) {
    const answer = await ask(url, init);
    const what = `${init.method ?? "GET"} ${url}`;
    expect(answer.status, what).toBe(status);
    expect(answer.body, what).toMatchObject({ ...body, status, detail: /./, requestId: /./ });
    expect(answer.headers.get("content-type"), what).toBe("application/problem+json");
    expect(answer.headers.get("cache-control"), what).toContain("no-store");
  }
  expect((await ask(nodes, { ...bearer(token), method: "HEAD" })).status).toBe(200);
});

test("the dialog that revokes a token has no fault", async ({ page }) => {
  await createToken(page, "for the eye");
  await page.getByRole("button", { name: /^Revoke for the eye/ }).click();
  await settled(page, page.getByRole("dialog").getByLabel("Reason"));
  await sound(page, "revoking a token");
});
