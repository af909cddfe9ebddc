import { type ApiRoute, namesIn } from "../../apps/web/src/server/http-api/api-route.ts";
import { BASE } from "../../apps/web/src/server/http-api/base.ts";
import { noteOf } from "../../apps/web/src/server/http-api/open-api.ts";
import {
  type JsonSchema,
  type Parameter,
  parametersOf,
} from "../../apps/web/src/server/http-api/parameters.ts";
import { ROUTES } from "../../apps/web/src/server/http-api/routes.ts";

/** Returns docs/api.md, written from the table of addresses and the inputs of their procedures. */
export function httpApiPage(): string {
  const groups = [...new Set(ROUTES.map(({ group }) => group))];
  return `# The HTTP API

The dashboard also answers scripts: what its pages show, as JSON, under \`${BASE}\`. The API only reads. It makes the same queries to the ledger
as the pages do, with the same filters, and shows a token only what its user may see.

## Tokens

Create one in the dashboard: Settings → API tokens. It is shown once; the ledger keeps only its hash. Each has a name, a role, all clusters or
some, and an expiry of at most a year.

| | personal token | service token |
|---|---|---|
| created by | any user, for themselves | an admin of all clusters |
| sees | at most what its user sees: it loses what they lose, and is refused while they are disabled | what it was made for |
| when its creator leaves | is refused | keeps working |

- A token begins with \`cwt_\`, so that scanners for leaked secrets recognise it, and ends with a checksum.
- Revoke it in the same place; it is refused from the next request on. Its user can do that, and so can any admin of all clusters.
- The list says when it was last used, to the minute, and from which address.
- The [audit log](audit.md) has every creation and revocation, and every refused use, under the accounts.

## Requests

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" https://cloudwright.example.org${BASE}/clusters
\`\`\`

- **Methods**: \`GET\` and \`HEAD\`. Anything else is answered with 405.
- **The token** is sent in the header \`Authorization\`, never in the address. Cookies are ignored.
- **Parameters**: an unknown one is an error, not ignored. Some may be given several times: \`states=stuck&states=held\`. \`not.controller\`
  leaves out what \`controller\` would select.
- **Pages**: a list returns \`rows\`, \`total\`, and \`nextCursor\` while there are more; send that as \`cursor\` with the same filter and order.
  A page has at most 200 rows.
- **Names** in the path are percent-encoded.

## Answers

- **Times** are milliseconds since 1970-01-01T00:00:00Z, durations are milliseconds. Parameters also take RFC 3339: \`from=2026-01-31T12:00:00Z\`.
- **Numbers** fit a double exactly. A whole number that did not fit would be sent as a string.
- **What is not known** is absent, not \`null\`.
- **Reasons** have a \`code\` and fields of their own ([all reasons](reasons.md)). Texts in fields, such as \`problem\`, are in English;
  \`phrase\` beside one has the code and the values from which the dashboard words it for its reader.
- Ignore members that you do not know: a later release may add some. Existing ones keep their names and meanings in \`v1\`.
- \`${BASE}/openapi.json\` describes all this for programs (OpenAPI 3.1). It needs no token.
- Nothing may be cached: \`Cache-Control: no-store\`.

## Errors

Each has the type \`application/problem+json\` (RFC 9457): \`status\`, \`detail\`, which is a sentence, \`code\`, \`requestId\`, under which
the dashboard's log has it, and \`parameter\` if one is wrong.

\`\`\`json
{
  "type": "about:blank",
  "title": "Bad Request",
  "status": 400,
  "detail": "There is no parameter named colour here.",
  "code": "BAD_REQUEST",
  "requestId": "5f0c31aa",
  "parameter": "colour"
}
\`\`\`

| status | when |
|---|---|
| 400 | a parameter is unknown, missing or not valid, or a cursor belongs to another list |
| 401 | no valid token was sent; \`WWW-Authenticate\` says what is wrong with it |
| 403 | the token's role does not suffice |
| 404 | there is no such address, cluster or object, or the token may not see that cluster |
| 405 | the method does more than read; \`Allow\` names the ones that are allowed |
| 429 | a token was used for more than 600 requests within a minute, or too many wrong tokens came from one address; \`Retry-After\` says when to come back |
| 500 | the dashboard failed; its log has the request |
| 503 | the dashboard cannot reach its database; \`Retry-After\` says when to come back |

After three refused tokens from one address each further refusal takes longer, up to ten seconds. A valid token is never delayed.

${groups.map(chapter).join("\n")}
Written from \`apps/web/src/server/http-api/routes.ts\` by \`npx tsx scripts/docs/write-pages.ts\`.
`;
}

function chapter(group: string): string {
  const routes = ROUTES.filter((route) => route.group === group);
  return `## ${group}\n\n${routes.map(section).join("\n")}`;
}

function section(route: ApiRoute): string {
  const parameters = parametersOf(route).filter(({ in: place }) => place === "query");
  const shown = parameters.filter(({ name }) => !name.startsWith("not."));
  const excluded = parameters.length > shown.length ? EXCLUDED : "";
  const table = shown.length === 0 ? "" : `${TABLE}${shown.map(row).join("\n")}\n${excluded}\n`;
  return `### \`GET ${route.path}\`

${route.summary}

${table}\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" "$DASHBOARD${BASE}${example(route, shown)}"
\`\`\`
`;
}

const TABLE = "| parameter | takes | selects |\n|---|---|---|\n";
const EXCLUDED =
  "\nEach of them except `from`, `to` and those for paging can be given with `not.` before it, which leaves out what it would select.\n";

function row(parameter: Parameter): string {
  const { name, schema, required } = parameter;
  const usual = schema.default === undefined ? "" : `; \`${schema.default}\` unless given`;
  const needed = required && schema.default === undefined ? "; required" : "";
  return `| \`${name}\` | ${kindOf(schema)}${usual}${needed} | ${noteOf(name, "query")} |`;
}

function kindOf(schema: JsonSchema): string {
  const of = schema.items ?? schema;
  if (of.enum !== undefined) return of.enum.map((each) => `\`${each}\``).join(", ");
  if (schema.format === "epoch-milliseconds") return "a time";
  if (of.format === "uuid") return "a UUID";
  if (of.type === "boolean") return "`true`, `false`";
  if (of.type === "integer" || of.type === "number") return range(of);
  return "a text";
}

function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least =
    minimum ?? (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : undefined);
  const isLimited = typeof maximum === "number" && maximum < 10_000;
  return `a whole number${isLimited ? ` from ${least} to ${maximum}` : ` from ${least} on`}`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  cluster: "$CLUSTER",
  id: "01996f1e-7c00-7000-8000-000000000001",
  kind: "Node",
  namespace: "shop",
  name: "w-9",
};

function example({ path, group }: ApiRoute, parameters: readonly Parameter[]): string {
  const isOfService = path.includes("{namespace}");
  const values = { ...EXAMPLES, ...(isOfService ? { name: "web", kind: "Service" } : {}) };
  const volume = group.startsWith("Volumes") && path.includes("volumes") ? { name: "pv-1" } : {};
  const named: Readonly<Record<string, string>> = { ...values, ...volume };
  const filled = namesIn(path).reduce(
    (text, name) => text.replace(`{${name}}`, named[name] ?? ""),
    path,
  );
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  const isSought = parameters.some(({ name, required }) => name === "text" && required);
  const query = [
    ...(isSought ? ["text=w-9"] : []),
    ...(has("states") ? ["states=stuck"] : []),
    ...(has("eventTypes") ? ["kind=Service", "name=shop/web"] : []),
    ...(has("from") ? ["from=2026-01-31T12:00:00Z"] : []),
    ...(has("limit") ? ["limit=100"] : []),
  ];
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}
