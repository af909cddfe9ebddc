/** The logins of the two processes; the owner, who migrates, is the login that runs `cloudwright migrate`. */
export const ROLE_NAMES = {
  controller: "cloudwright_controller",
  web: "cloudwright_web",
} as const;
export type DatabaseRole = keyof typeof ROLE_NAMES;
export const DATABASE_ROLES: readonly DatabaseRole[] = ["controller", "web"];

type Rights = Readonly<Record<DatabaseRole, string>>;

const NONE = "";
const WRITTEN_BY_CONTROLLER: Rights = { controller: "SELECT, INSERT, UPDATE", web: "SELECT" };
const USERS: Rights = { controller: NONE, web: "SELECT, INSERT, UPDATE, DELETE" };

/**
 * The rights of each role on each table (DESIGN.md "Audit entry"): a table that is not listed here belongs to the owner only. Old rows and
 * days are removed by functions that refuse to remove newer ones.
 */
export const TABLE_RIGHTS: Readonly<Record<string, Rights>> = {
  clusters: WRITTEN_BY_CONTROLLER,
  controller_instances: WRITTEN_BY_CONTROLLER,
  controller_settings: WRITTEN_BY_CONTROLLER,
  budget_minutes: { controller: "SELECT, INSERT", web: "SELECT" },
  all_states: WRITTEN_BY_CONTROLLER,
  // For controllers of the previous release.
  object_states: { controller: "SELECT, INSERT, UPDATE", web: NONE },
  node_states: WRITTEN_BY_CONTROLLER,
  load_balancer_states: WRITTEN_BY_CONTROLLER,
  // The rows of a Node's routes derive from the Node's own row, and are deleted when it has no routes left.
  route_states: { controller: "SELECT, INSERT, UPDATE, DELETE", web: "SELECT" },
  volume_states: WRITTEN_BY_CONTROLLER,
  // Written by triggers only.
  state_changes: { controller: NONE, web: "SELECT" },
  state_histories: { controller: NONE, web: "SELECT" },
  run_counts: { controller: NONE, web: "SELECT" },
  shadow_plans: WRITTEN_BY_CONTROLLER,
  object_events: WRITTEN_BY_CONTROLLER,
  runs: WRITTEN_BY_CONTROLLER,
  ledger_gaps: { controller: "SELECT, INSERT", web: "SELECT" },
  ledger_upkeep: { controller: NONE, web: NONE },
  // Neither role may change who requested an intent, or what. A trigger allows changes of plan, expiry and decision only when another
  // person decides.
  intents: {
    controller:
      "SELECT, UPDATE (state, claimed_by, claimed_transition, run_ids, result, preview, evidence, loops, updated_at)",
    web: "SELECT, INSERT, UPDATE (state, result, updated_at, plan_hash, expires_at, decided_by_id, decided_by_name, decided_why, decided_at)",
  },
  approval_policies: { controller: NONE, web: "SELECT, INSERT, UPDATE" },
  // Written by the function cloudwright_audit only.
  audit_entries: { controller: "SELECT (chain, seq, hash)", web: "SELECT" },
  audit_chains: { controller: "SELECT", web: "SELECT" },
  audit_checkpoints: WRITTEN_BY_CONTROLLER,
  controller_logins: { controller: "SELECT", web: "SELECT" },
  audit_sessions: { controller: NONE, web: NONE },
  users: USERS,
  sessions: USERS,
  accounts: USERS,
  sign_in_tokens: USERS,
  authenticators: USERS,
  recovery_codes: { controller: NONE, web: "SELECT, INSERT, UPDATE (used_at), DELETE" },
  user_preferences: { controller: NONE, web: "SELECT, INSERT, UPDATE (value)" },
  verifications: USERS,
  // Revoked ones stay.
  api_tokens: {
    controller: NONE,
    web: "SELECT, INSERT, UPDATE (last_used_at, last_used_address, revoked_at)",
  },
  webhooks: USERS,
  webhook_alarms: USERS,
  webhook_deliveries: USERS,
  saved_views: USERS,
  // A withdrawn comment loses its text but stays; there is no other change, and comments are deleted only with their target.
  comments: {
    controller: NONE,
    web: "SELECT, INSERT, UPDATE (text, withdrawn_at, withdrawn_by_name)",
  },
  // Never changed.
  incidents: { controller: NONE, web: "SELECT, INSERT, DELETE" },
  // A controller's login compares the schema with its release (`cloudwright doctor`).
  _prisma_migrations: { controller: "SELECT", web: NONE },
};

/** Which roles may call the functions that run with their owner's rights. */
export const FUNCTION_RIGHTS: Readonly<Record<string, readonly DatabaseRole[]>> = {
  cloudwright_audit: ["controller", "web"],
  cloudwright_audit_session: ["web"],
  // Trigger functions: nobody calls them.
  cloudwright_begin_chain: [],
  cloudwright_intent_actor: [],
  cloudwright_note_state: [],
  cloudwright_count_runs: [],
  cloudwright_intent_waits: [],
  cloudwright_intent_decided: [],
  cloudwright_make_run_days: ["controller"],
  cloudwright_drop_run_days: ["controller"],
  cloudwright_drop_run_bodies: ["controller"],
  cloudwright_drop_old_rows: ["controller"],
  cloudwright_drop_old_budget: ["controller"],
  cloudwright_drop_old_states: ["controller"],
  cloudwright_drop_old_incidents: ["controller"],
  cloudwright_drop_old_events: ["controller"],
  cloudwright_fold_runs: ["controller"],
  cloudwright_begin_upkeep: ["controller"],
  cloudwright_end_upkeep: ["controller"],
};
