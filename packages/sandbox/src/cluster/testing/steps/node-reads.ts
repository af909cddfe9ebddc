import {
  create,
  get,
  inOtherWords,
  MERGE,
  patch,
  removeAt,
  STRATEGIC,
  statusAlone,
  stepsOf,
} from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** How nodes are selected, listed, watched and deleted. */
export const NODE_READS = stepsOf({
  "refuses to read a field selector that it does not know": get(
    `${NODES}?fieldSelector=spec.foo=x`,
  ),
  "refuses a field selector that is none": get(`${NODES}?fieldSelector=foo`),
  "selects by spec.unschedulable": get(`${NODES}?fieldSelector=spec.unschedulable=true`),
  "selects by label sets": get(`${NODES}?labelSelector=fromStatus+in+(yes,no),!nope,fromStatus!=x`),
  "refuses a label selector with two signs": get(`${NODES}?labelSelector=a=b=c`),
  "refuses a label selector without a sign": get(`${NODES}?labelSelector=a%20b`),
  "refuses a resourceVersion that is no number": get(`${NODES}?resourceVersion=abc`),
  "refuses a match without a version": get(`${NODES}?resourceVersionMatch=Exact`),
  "refuses a match that is none": get(`${NODES}?resourceVersionMatch=Foo&resourceVersion=1`),
  "refuses a continue token that is none": inOtherWords(get(`${NODES}?limit=1&continue=xxx`)),
  "refuses initial events without the match": get(
    `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true`,
  ),
  "streams the initial events to their bookmark": statusAlone(
    get(
      `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name=none`,
    ),
  ),
  "shows a table": statusAlone({ method: "GET", path: NODE, accept: TABLE }),
  "shows metadata alone": {
    method: "GET",
    path: NODE,
    accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  },
  "refuses to delete another uid": {
    method: "DELETE",
    path: NODE,
    body: { preconditions: { uid: "foo" } },
  },
  "refuses to delete an older version": {
    method: "DELETE",
    path: NODE,
    body: { preconditions: { resourceVersion: "1" } },
  },
  "finds nothing to delete": removeAt(`${NODES}/nope`),
  "refuses a finalizer that is not qualified": patch(NODE, MERGE, {
    metadata: { finalizers: ["abc"] },
  }),
  "takes finalizers": patch(NODE, MERGE, { metadata: { finalizers: ["a.b/c"] } }),
  "merges finalizers as a set": patch(NODE, STRATEGIC, { metadata: { finalizers: ["d.e/f"] } }),
  "takes single finalizers out": patch(NODE, STRATEGIC, {
    metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/c"] },
  }),
  "only marks what finalizers hold": removeAt(NODE),
  "marks it once": removeAt(NODE),
  "refuses further finalizers then": patch(NODE, MERGE, {
    metadata: { finalizers: ["d.e/f", "g.h/i"] },
  }),
  "goes with its last finalizer": patch(NODE, MERGE, { metadata: { finalizers: null } }),
  "is gone then": get(NODE),
  "deletes at once what nobody holds": create(NODES, { metadata: { name: "n2" } }),
  "answers a deletion with a Status": removeAt(`${NODES}/n2`),
  "deletes a collection by selector": removeAt(`${NODES}?labelSelector=zap=zip`),
});
