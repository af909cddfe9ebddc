import type { RawRequest } from "../../harness/relays/raw-request.ts";
import { CLUSTER } from "../fixtures/ledger.ts";
import { HOSTILE } from "./malformed-requests.ts";

/** Paths of pages, with everything in them that addresses must not contain. */
export const PATHS = [
  "/%",
  "/%00",
  "/%E0%A4%A",
  "/..%2f..%2fetc",
  "/api/trpc/",
  "/api/trpc/%",
  "/api/trpc/%E0%A4%A",
  "/api/trpc/__proto__",
  "/api/trpc/nodes.constructor",
  "/api/trpc/toString?batch=1",
  "/api/trpc/nodes.list?batch=1&input=%7B%7D",
  "/api/trpc/nodes.list?batch=x&input=[",
  "/api/trpc/nodes.list,nodes.list?batch=1&input=null",
  "/api/trpc/live.changes,live.changes?batch=1",
  `/c/${CLUSTER}/nodes/%E0%A4%A`,
  `/c/${CLUSTER}/nodes/%00`,
  `/c/${CLUSTER}/nodes/%ED%A0%80`,
  `/c/${CLUSTER}/load-balancers/%00/%00`,
  `/c/${CLUSTER}/load-balancers/%25E0/%25`,
  `/c/${CLUSTER}/nodes/%25`,
  `/c/${CLUSTER}/nodes/%2525E0`,
  `/c/${CLUSTER}/requests/%25`,
  `/c/${CLUSTER}/requests/%00`,
  `/c/${CLUSTER}/requests/${"9".repeat(400)}`,
  "/c/%00",
  "/c/%25/nodes",
  "/c/__proto__/nodes",
  "/settings/constructor",
  "/settings/%00",
  "/settings/%25",
  "/sign-in?token=%00",
  "/sign-in?token=%ED%A0%80",
  "/sign-in?token=a&token=b&next=%00&next=/",
  "/sign-in?next=/..//evil",
  "/sign-in?refused=constructor",
  "/sign-in?refused=__proto__",
  "/_next/image?url=%2F%00&w=1&q=1",
  "/_next/static/%00",
  "/_next/data/x/y.json",
  "/api/v1",
  "/api/v1/%",
  "/api/v1/%E0%A4%A",
  "/api/v1/clusters?%00=%00",
  "/api/v1/clusters/%00/nodes?limit=%00",
  "/api/v1/clusters/%25/nodes/%ED%A0%80",
  "/api/v1/__proto__",
  "/?_rsc=%00",
  "/healthz/%00",
];

/** Queries of the export, most of them with one value that our pages never send. */
export const EXPORTS: readonly string[] = [
  "",
  "list=nodes&format=csv",
  `list=runs&cluster=${CLUSTER}`,
  ...HOSTILE.filter((value) => typeof value === "string" || typeof value === "number").flatMap(
    (value) =>
      [
        "list",
        "cluster",
        "format",
        "filter",
        "sort",
        ...["from", "to", "actorId", "action", "seq", "runId", "intentId"].map(
          (member) => `filter.${member}`,
        ),
      ].map((name) => {
        const query = new URLSearchParams({ list: "audit", cluster: CLUSTER, format: "csv" });
        const [parameter = "", member] = name.split(".");
        query.set(
          parameter,
          member === undefined ? String(value) : JSON.stringify({ [member]: value }),
        );
        return query.toString();
      }),
  ),
  `cluster=${CLUSTER}&format=csv&from=%00`,
  `cluster=${CLUSTER}&format=csv&text=%ED%A0%80`,
  `cluster=${CLUSTER}&format=csv&%00=%00`,
];

/** Bodies that no handler expects. */
export const FORMS: readonly Pick<RawRequest, "headers" | "body">[] = [
  { headers: { "content-type": "multipart/form-data" }, body: "x" },
  { headers: { "content-type": "multipart/form-data; boundary=a" }, body: "--a\r\n\r\n" },
  { headers: { "content-type": "multipart/form-data; boundary=" }, body: "--\r\n" },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=%&password=%00",
  },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=a%00&password=%ED%A0%80&next=%00",
  },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "token=%00&next=//evil",
  },
  { headers: { "content-type": "application/json" }, body: "{" },
  { headers: { "content-type": "text/plain" }, body: "\0" },
  { headers: { "content-type": "\u00ff" }, body: "x" },
  { headers: {}, body: "" },
  { headers: { "next-action": "x" }, body: "[]" },
  {
    headers: { "next-action": "0".repeat(42), "content-type": "text/plain;charset=UTF-8" },
    body: "[",
  },
  { headers: { rsc: "1", "next-router-state-tree": "%" }, body: "" },
];
