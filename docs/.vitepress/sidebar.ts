/** One page of the site: its name in the sidebar, and its file in this repository. */
export interface Entry {
  readonly text: string;
  readonly page: string;
}

export interface Chapter {
  readonly text: string;
  readonly entries: readonly Entry[];
}

/** Every page once, in the order in which an operator needs them; a test finds those that are missing or here twice. */
export const CHAPTERS: readonly Chapter[] = [
  {
    text: "Start",
    entries: [
      { text: "What it is", page: "README.md" },
      { text: "Try it: the sandbox", page: "docs/sandbox.md" },
    ],
  },
  {
    text: "Install",
    entries: [
      { text: "Install it", page: "docs/install.md" },
      { text: "Start a cluster with it", page: "docs/bootstrap.md" },
      { text: "Examine first: doctor", page: "docs/doctor.md" },
      { text: "What each permission is for", page: "docs/permissions.md" },
      { text: "Versions and upgrades", page: "docs/releases.md" },
      { text: "Back up and restore", page: "docs/backup.md" },
    ],
  },
  {
    text: "Take over",
    entries: [
      { text: "See what would be done", page: "docs/plan.md" },
      { text: "Adoption, migration, going back", page: "docs/migration.md" },
      { text: "Differences from upstream", page: "docs/differences.md" },
    ],
  },
  {
    text: "Run it",
    entries: [
      { text: "Nodes", page: "docs/nodes.md" },
      { text: "Services and load balancers", page: "docs/service.md" },
      { text: "Pod ranges", page: "docs/node-ipam.md" },
      { text: "Routes", page: "docs/routes.md" },
      { text: "Volumes", page: "docs/volumes.md" },
      { text: "The dashboard", page: "docs/dashboard.md" },
      { text: "Signing in", page: "docs/sign-in.md" },
      { text: "Settings while it runs", page: "docs/settings.md" },
      { text: "The ledger", page: "docs/ledger.md" },
      { text: "The audit log", page: "docs/audit.md" },
      { text: "The budget of calls", page: "docs/budget.md" },
      { text: "Metrics, alerts and a board", page: "docs/monitoring.md" },
      { text: "Notifications by webhook", page: "docs/notifications.md" },
    ],
  },
  {
    text: "When something is wrong",
    entries: [
      { text: "Runbooks, by symptom", page: "docs/runbooks.md" },
      { text: "Reasons, by sentence", page: "docs/reasons.md" },
      { text: "Faults that it survives", page: "docs/faults.md" },
    ],
  },
  {
    text: "Reference",
    entries: [
      { text: "Commands", page: "docs/commands.md" },
      { text: "Flags of the controller", page: "docs/flags.md" },
      { text: "Annotations, labels, conditions", page: "docs/names.md" },
      { text: "Events", page: "docs/events.md" },
      { text: "The HTTP API", page: "docs/api.md" },
      { text: "Metrics", page: "docs/metrics.md" },
    ],
  },
  {
    text: "Clouds",
    entries: [
      { text: "OpenStack", page: "docs/providers/openstack.md" },
      { text: "Providers written in Go", page: "docs/providers/go.md" },
      { text: "Write a provider", page: "docs/providers.md" },
    ],
  },
  {
    text: "Security",
    entries: [
      { text: "The security model", page: "SECURITY.md" },
      { text: "Dependencies", page: "docs/dependencies.md" },
    ],
  },
  {
    text: "The project",
    entries: [
      { text: "Changes", page: "CHANGELOG.md" },
      { text: "Speed, measured", page: "docs/speed.md" },
      { text: "Contributing", page: "CONTRIBUTING.md" },
    ],
  },
];

export const PAGES: readonly string[] = CHAPTERS.flatMap(({ entries }) =>
  entries.map(({ page }) => page),
);
