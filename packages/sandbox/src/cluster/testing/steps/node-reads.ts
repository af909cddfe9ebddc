import { create, MERGE, patch, STRATEGIC, type Step } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** How nodes are selected, listed, watched and deleted. */
export const NODE_READS: readonly Step[] = [
  {
    does: "refuses to read a field selector that it does not know",
    method: "GET",
    path: `${NODES}?fieldSelector=spec.foo=x`,
  },
  {
    does: "refuses a field selector that is none",
    method: "GET",
    path: `${NODES}?fieldSelector=foo`,
  },
  {
    does: "selects by spec.unschedulable",
    method: "GET",
    path: `${NODES}?fieldSelector=spec.unschedulable=true`,
  },
  {
    does: "selects by label sets",
    method: "GET",
    path: `${NODES}?labelSelector=fromStatus+in+(yes,no),!nope,fromStatus!=x`,
  },
  {
    does: "refuses a label selector with two signs",
    method: "GET",
    path: `${NODES}?labelSelector=a=b=c`,
  },
  {
    does: "refuses a label selector without a sign",
    method: "GET",
    path: `${NODES}?labelSelector=a%20b`,
  },
  {
    does: "refuses a resourceVersion that is no number",
    method: "GET",
    path: `${NODES}?resourceVersion=abc`,
  },
  {
    does: "refuses a match without a version",
    method: "GET",
    path: `${NODES}?resourceVersionMatch=Exact`,
  },
  {
    does: "refuses a match that is none",
    method: "GET",
    path: `${NODES}?resourceVersionMatch=Foo&resourceVersion=1`,
  },
  {
    does: "refuses a continue token that is none",
    method: "GET",
    path: `${NODES}?limit=1&continue=xxx`,
    apart: "message",
  },
  {
    does: "refuses initial events without the match",
    method: "GET",
    path: `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true`,
  },
  {
    does: "streams the initial events to their bookmark",
    method: "GET",
    path: `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name=none`,
    apart: "body",
  },
  { does: "shows a table", method: "GET", path: NODE, accept: TABLE, apart: "body" },
  {
    does: "shows metadata alone",
    method: "GET",
    path: NODE,
    accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  },
  {
    does: "refuses to delete another uid",
    method: "DELETE",
    path: NODE,
    body: { preconditions: { uid: "foo" } },
  },
  {
    does: "refuses to delete an older version",
    method: "DELETE",
    path: NODE,
    body: { preconditions: { resourceVersion: "1" } },
  },
  { does: "finds nothing to delete", method: "DELETE", path: `${NODES}/nope` },
  {
    does: "refuses a finalizer that is not qualified",
    ...patch(NODE, MERGE, { metadata: { finalizers: ["abc"] } }),
  },
  { does: "takes finalizers", ...patch(NODE, MERGE, { metadata: { finalizers: ["a.b/c"] } }) },
  {
    does: "merges finalizers as a set",
    ...patch(NODE, STRATEGIC, { metadata: { finalizers: ["d.e/f"] } }),
  },
  {
    does: "takes single finalizers out",
    ...patch(NODE, STRATEGIC, { metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/c"] } }),
  },
  { does: "only marks what finalizers hold", method: "DELETE", path: NODE },
  { does: "marks it once", method: "DELETE", path: NODE },
  {
    does: "refuses further finalizers then",
    ...patch(NODE, MERGE, { metadata: { finalizers: ["d.e/f", "g.h/i"] } }),
  },
  {
    does: "goes with its last finalizer",
    ...patch(NODE, MERGE, { metadata: { finalizers: null } }),
  },
  { does: "is gone then", method: "GET", path: NODE },
  { does: "deletes at once what nobody holds", ...create(NODES, { metadata: { name: "n2" } }) },
  { does: "answers a deletion with a Status", method: "DELETE", path: `${NODES}/n2` },
  {
    does: "deletes a collection by selector",
    method: "DELETE",
    path: `${NODES}?labelSelector=zap=zip`,
  },
];
