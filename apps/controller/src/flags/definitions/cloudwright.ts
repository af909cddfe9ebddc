import { DEFAULT_MAX_RETRY_AFTER_MS } from "@cloudwright/core/model/language/duration";
import { DEFAULT_CHECKPOINT_MS } from "@cloudwright/core/reconcile/checkpoints/keep-checkpoints";
import { DEFAULT_RETENTION } from "@cloudwright/store/upkeep/retention";
import { adoptConsents } from "../adopt-consent.ts";
import { flag } from "../flag.ts";
import {
  bool,
  bytes,
  deletionGuard,
  duration,
  int,
  list,
  oneOf,
  retention,
  text,
} from "../kinds.ts";
import { providerSocket, providerSocketOwner } from "../provider-socket.ts";

export const CLOUDWRIGHT_FLAGS = {
  "database-url": flag("Cloudwright", text, {
    initial: "",
    help: "PostgreSQL URL of the ledger. If not given, the environment variable DATABASE_URL is used; without either, decisions are kept only in the spool and the log.",
  }),
  "spool-dir": flag("Cloudwright", text, {
    initial: "",
    help: "Directory in which decisions wait for the database; if empty, one below this host's state or temporary directory.",
  }),
  "spool-max-bytes": flag("Cloudwright", bytes, {
    initial: 268_435_456,
    help: "Maximum size of the spool.",
  }),
  "audit-anchor": flag("Cloudwright", text, {
    initial: "",
    help: "File outside the database and the cluster to which the leader appends signed checkpoints of the audit chains: file:///PATH.",
  }),
  "audit-anchor-key": flag("Cloudwright", text, {
    initial: "",
    help: "Ed25519 private key that signs the anchor, in PEM, mode 0600. If the file does not exist, a key is generated, and its public key is written to FILE.pub.",
  }),
  "audit-checkpoint-period": flag("Cloudwright", duration, {
    initial: DEFAULT_CHECKPOINT_MS,
    help: "Longest time until a checkpoint in the cluster and in the anchor covers a new audit entry.",
  }),
  "ledger-retention-runs": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.runsMs,
    help: "How long the ledger keeps runs; they are removed by whole days.",
  }),
  "ledger-retention-bodies": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.bodiesMs,
    help: "How long the ledger keeps the bodies of failed calls.",
  }),
  "ledger-retention-actions": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.intentsMs,
    help: "How long the ledger keeps users' actions after they have ended.",
  }),
  "ledger-retention-gone": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.goneMs,
    help: "How long the ledger keeps objects that no longer exist.",
  }),
  "ledger-retention-budget": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.budgetMs,
    help: "How long the ledger keeps the per-minute counts of calls to the cloud and the API server.",
  }),
  "ledger-retention-incidents": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.incidentsMs,
    help: "How long the ledger keeps incidents that users have shared.",
  }),
  "max-retry-after": flag("Cloudwright", duration, {
    initial: DEFAULT_MAX_RETRY_AFTER_MS,
    help: "Longest Retry-After of the cloud that is honoured. If the cloud refuses every call for longer than this, the process reports itself unhealthy.",
  }),
  "new-node-grace": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "How long to wait for the cloud to list a new node.",
  }),
  "node-deletion-guard": flag("Cloudwright", deletionGuard, {
    initial: { nodes: 5, percent: 10, windowMs: 600_000 },
    help: "How many nodes may be deleted within a window before further deletions wait for an admin: the larger of the two limits applies.",
  }),
  adopt: flag("Cloudwright", oneOf(["published", "report"]), {
    initial: "published",
    help: "What to do with load balancers and routes that upstream's manager created and that two proofs show to belong to a Service or Node: published adopts them, report only lists them.",
  }),
  "adopt-consent": flag("Cloudwright", adoptConsents, {
    initial: new Map(),
    help: "Load balancers and routes, by cloud ID, that a Service or Node may adopt on a single proof. Meant for controllers without a ledger, where cloudwright adopt cannot be used.",
  }),
  "load-balancer-class": flag("Cloudwright", list, {
    initial: [],
    help: "Load balancer classes whose Services are served in addition to Services without a class; repeatable.",
  }),
  "load-balancer-classless": flag("Cloudwright", bool, {
    initial: true,
    help: "Serve Services that have no load balancer class; false leaves them to another controller of the cluster.",
  }),
  "load-balancer-drift-period": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "Time between two comparisons of all load balancers with their desired state.",
  }),
  "volume-drift-period": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "Time between comparisons of all volumes with the cloud's disks.",
  }),
  "orphan-grace": flag("Cloudwright", duration, {
    initial: 0,
    help: "How long a load balancer of this cluster is kept after its Service is gone; 0 keeps it until an admin removes it.",
  }),
  "route-condition": flag("Cloudwright", oneOf(["overwrite", "own"]), {
    initial: "overwrite",
    help: "What to do with a NetworkUnavailable condition that another component has written: overwrite replaces it, as upstream does; own only writes where there is none or our own.",
  }),
  "tracing-endpoint": flag("Cloudwright", text, {
    initial: "",
    help: "Collector to which a trace of each run is sent by OTLP over HTTP, such as http://localhost:4318; empty means none. Headers and certificates are given by OpenTelemetry's environment variables, such as OTEL_EXPORTER_OTLP_HEADERS.",
  }),
  "tracing-sampling-rate-per-million": flag("Cloudwright", int(0, 1_000_000), {
    initial: 1_000_000,
    help: "How many runs in a million are traced.",
  }),
  "provider-path": flag("Cloudwright", text, {
    initial: "",
    help: "Directory from which provider packages are resolved, and which is searched for provider executables before the PATH; empty means the working directory.",
  }),
  "cloud-provider-socket": flag("Cloudwright", providerSocket, {
    initial: "",
    help: "Unix socket of a provider that runs in another process, such as a sidecar: unix:///PATH. It is used whatever --cloud-provider names.",
  }),
  "cloud-provider-socket-owner": flag("Cloudwright", providerSocketOwner, {
    initial: { user: undefined, group: undefined },
    help: "Who may own that socket and its folder, in addition to root and the controller's own user and groups; by number.",
  }),
  "watch-events": flag("Cloudwright", bool, {
    initial: false,
    help: "Record in the ledger the Kubernetes Events that other components send about nodes, Services, volumes and claims. Needs list and watch on events, which upstream's role does not grant.",
  }),
  "dry-run": flag("Cloudwright", bool, {
    initial: false,
    help: "Observe and plan, but write nothing; the Lease of this mode is cloudwright-shadow.",
  }),
};
