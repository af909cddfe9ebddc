import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  controllerOf,
} from "@cloudwright/core/model/controller-names";
import {
  advice,
  type Facts,
  faultOf,
  REASONS,
  type Reason,
  severityOf,
  stateOf,
} from "@cloudwright/core/model/reason";
import { capitalise, cause } from "@cloudwright/core/model/sentence";
import { STUCK_AFTER } from "@cloudwright/core/model/state";
import { z } from "zod/mini";

const TITLES: Record<keyof typeof REASONS, string> = {
  cloud: "What the cloud says",
  kubernetes: "What the Kubernetes API says",
  node: "Initialising nodes",
  lifecycle: "Machines that stop or go",
  loadBalancer: "Services and load balancers",
  route: "Routes",
  podRange: "Pod ranges",
  volume: "Volumes",
  engine: "Every controller",
};

const MINUTES = STUCK_AFTER.ms / 60_000;

/** Returns docs/reasons.md, written only from the definitions of the reasons. */
export function reasonsPage(): string {
  const rooms = Object.entries(REASONS).map(([room, definitions]) => {
    const rows = definitions.map((definition) => row(definition));
    return `## ${TITLES[room as keyof typeof REASONS]}

| code | what it says | what to do | severity | state of the object | given by |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
  });
  return `# Reasons

Why an object is as it is, a change is made or a step is left out: a code that never changes, and a sentence that pages, Events,
the log and exports share. *Italics* stand for what is known of the object; what is in brackets may be missing. A \`warning\` is
also an Event of that type on the object, by the name of the code.

*State*: what the reason makes of its object. *Stuck at once*: only a user can fix it. *Stuck if it lasts*: it is retried, and
the object is stuck after ${STUCK_AFTER.failures} failures and ${MINUTES} minutes. *As the run ended*: OK, Waiting or Working. A code that is not listed here was written by
another release, or by a controller of your own; it is shown with its text.

Written from the definitions in \`packages/core/src/model/reasons\` by \`npx tsx scripts/docs/write-pages.ts\`.

${rooms.join("\n")}`;
}

type Definition = (typeof REASONS)[keyof typeof REASONS][number];

function row(definition: Definition): string {
  const samples = samplesOf(definition);
  const cells = [
    `\`${definition.code}\``,
    lines(samples.map((reason) => `${cause(reason, () => "*time*")}.`)),
    lines(samples.map(advice)) || "–",
    lines(samples.map(severityOf)),
    lines(samples.map(stateText)),
    givenBy(definition),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** Returns each text once, on separate lines. */
function lines(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== "").join("<br>");
}

function stateText(reason: Reason): string {
  const given = stateOf(reason);
  const fault = faultOf(reason);
  if (given !== undefined && given !== "unknown") return capitalise(given);
  if (fault !== "passing") return fault === "user" ? "Stuck at once" : "As the run ended";
  return given === undefined ? "Stuck if it lasts" : "Unknown, Stuck if it lasts";
}

function givenBy({ appearsIn }: Facts): string {
  if (appearsIn === "all") return "all";
  const labels = CONTROLLER_NAMES.filter((name) => appearsIn.includes(CONTROLLERS[name].folder));
  return labels.map((name) => controllerOf(name).label).join(", ") || "earlier releases";
}

/** Returns a reason with all optional fields, and with each of its fields in its other forms. */
function samplesOf({ schema, fields }: Definition): readonly Reason[] {
  const forms = Object.entries(fields)
    .filter(([name]) => !WORDING.has(name))
    .map(([name, type]) => [name, formsOf(name, type)] as const);
  const full = Object.fromEntries(forms.map(([name, [first]]) => [name, first]));
  const others = forms.flatMap(([name, [, ...rest]]) =>
    rest.map((value) => ({ ...full, [name]: value })),
  );
  const { code } = schema.def.innerType.shape;
  return [full, ...others].map((sample) => schema.parse({ code: code.def.values[0], ...sample }));
}

/** Fields from which other languages word another field. */
const WORDING: ReadonlySet<string> = new Set(["phrase", "behind"]);

/** Fields shown in brackets if they are known. */
const EVIDENCE: ReadonlySet<string> = new Set(["requestId", "status", "retryAfterMs"]);

function formsOf(name: string, type: z.core.$ZodType): readonly unknown[] {
  if (type instanceof z.ZodMiniOptional) {
    const present = formsOf(name, type.def.innerType);
    return EVIDENCE.has(name) ? present : [...present, undefined];
  }
  if (type instanceof z.ZodMiniEnum) return type.options;
  if (type instanceof z.ZodMiniBoolean) return [true, false];
  if (type instanceof z.ZodMiniNumber) return [name.endsWith("Ms") ? 120_000 : 3];
  if (!(type instanceof z.ZodMiniArray)) return [`*${name}*`];
  const all = formsOf(name, type.def.element);
  return all.length === 1 ? [all] : [all, ...all.map((one) => [one])];
}
