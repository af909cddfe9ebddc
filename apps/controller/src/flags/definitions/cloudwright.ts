import { DEFAULT_MAX_RETRY_AFTER_MS } from "@cloudwright/core/model/duration";
import { DEFAULT_RETENTION } from "@cloudwright/store/upkeep/retention";
import { adoptConsents } from "../adopt-consent.ts";
import { deletionGuard } from "../deletion-guard.ts";
import { flag } from "../flag.ts";
import { bool, bytes, duration, list, oneOf, retention, text } from "../kinds.ts";

export const CLOUDWRIGHT_FLAGS = {
  "database-url": flag("Cloudwright", text, {
    initial: "",
    help: "PostgreSQL of the ledger; else the environment's DATABASE_URL; without either, spool and log alone.",
  }),
  "spool-dir": flag("Cloudwright", text, {
    initial: "",
    help: "Where decisions wait for the database; empty is a folder of this host below its state or temporary folder.",
  }),
  "spool-max-bytes": flag("Cloudwright", bytes, {
    initial: 268_435_456,
    help: "Most that the spool may hold.",
  }),
  "audit-anchor": flag("Cloudwright", text, {
    initial: "",
    help: "File outside the database and the cluster that checkpoints of the audit chains are appended to, signed: file:///PATH; the leader writes it.",
  }),
  "audit-anchor-key": flag("Cloudwright", text, {
    initial: "",
    help: "Ed25519 private key in PEM that signs the anchor, mode 0600; made where there is none, with the public one as FILE.pub.",
  }),
  "ledger-retention-runs": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.runsMs,
    help: "How long the ledger keeps runs; whole days are removed.",
  }),
  "ledger-retention-bodies": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.bodiesMs,
    help: "How long the ledger keeps the bodies of failed calls.",
  }),
  "ledger-retention-actions": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.intentsMs,
    help: "How long the ledger keeps people's actions after their end.",
  }),
  "ledger-retention-gone": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.goneMs,
    help: "How long the ledger keeps objects that are gone.",
  }),
  "ledger-retention-budget": flag("Cloudwright", retention, {
    initial: DEFAULT_RETENTION.budgetMs,
    help: "How long the ledger keeps each minute's calls to the cloud and the API server.",
  }),
  "max-retry-after": flag("Cloudwright", duration, {
    initial: DEFAULT_MAX_RETRY_AFTER_MS,
    help: "Longest wait that the cloud is believed when it names one with a refusal; a cloud that refuses every call for longer makes the process unhealthy.",
  }),
  "new-node-grace": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "How long a new node that the cloud does not list yet is given time.",
  }),
  "node-deletion-guard": flag("Cloudwright", deletionGuard, {
    initial: { nodes: 5, percent: 10, windowMs: 600_000 },
    help: "Most nodes deleted in a window before deletions wait for an admin; the larger of the two.",
  }),
  adopt: flag("Cloudwright", oneOf(["published", "report"]), {
    initial: "published",
    help: "What becomes of load balancers and routes that upstream's manager made and that are the Service's or Node's by two proofs: published adopts them, report lists them and touches nothing.",
  }),
  "adopt-consent": flag("Cloudwright", adoptConsents, {
    initial: new Map(),
    help: "What a Service or a Node may adopt with one proof alone, by the cloud's id; for controllers without a ledger, where cloudwright adopt cannot ask.",
  }),
  "load-balancer-class": flag("Cloudwright", list, {
    initial: [],
    help: "Load balancer classes of Services that are served beside those without one; repeatable.",
  }),
  "load-balancer-classless": flag("Cloudwright", bool, {
    initial: true,
    help: "Whether Services without a load balancer class are served; false leaves them to another controller of the cluster.",
  }),
  "load-balancer-drift-period": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "Time between two comparisons of all load balancers with what they should be.",
  }),
  "volume-drift-period": flag("Cloudwright", duration, {
    initial: 300_000,
    help: "Time between two comparisons of all volumes with the cloud's disks.",
  }),
  "orphan-grace": flag("Cloudwright", duration, {
    initial: 0,
    help: "How long a load balancer of this cluster without a Service is kept before it is removed; 0 keeps it until an admin removes it.",
  }),
  "route-condition": flag("Cloudwright", oneOf(["overwrite", "own"]), {
    initial: "overwrite",
    help: "What becomes of a condition NetworkUnavailable that somebody else has written: overwrite it as upstream does, or write only where there is none or our own.",
  }),
  "provider-path": flag("Cloudwright", text, {
    initial: "",
    help: "Folder from which provider packages are resolved; empty is the working directory.",
  }),
  "dry-run": flag("Cloudwright", bool, {
    initial: false,
    help: "Observe, plan and write nothing; leads by the Lease cloudwright-shadow.",
  }),
};
