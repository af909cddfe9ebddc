import { exitCodeOfFindings, type Finding, TOPICS, type Topic, VERDICTS } from "./finding.ts";

export interface Diagnosis {
  readonly server: string | undefined;
  readonly provider: string;
  readonly atMs: number;
  readonly findings: readonly Finding[];
}

export const DOCTOR_OUTPUTS = ["text", "json"] as const;
export type DoctorOutput = (typeof DOCTOR_OUTPUTS)[number];

/** The findings as text for reading, or as JSON of the shape that docs/doctor.md promises. */
export const FINDING_PRINTERS: Record<DoctorOutput, (diagnosis: Diagnosis) => string> = {
  text: findingsText,
  json: (diagnosis) => `${JSON.stringify(findingsJson(diagnosis), undefined, 2)}\n`,
};

const WIDTH = Math.max(...VERDICTS.map((verdict) => verdict.length)) + 2;

function findingsText({ server, provider, atMs, findings }: Diagnosis): string {
  const place = server === undefined ? "No cluster" : `Cluster at ${server}`;
  const head = `${place}, provider ${provider}, ${new Date(atMs).toISOString()}`;
  const topics = (Object.keys(TOPICS) as Topic[]).flatMap((topic) => {
    const own = findings.filter((finding) => finding.topic === topic);
    return own.length === 0 ? [] : ["", TOPICS[topic], ...own.flatMap(findingLines)];
  });
  return [head, ...topics, "", `${summaryOf(findings)}.`, ""].join("\n");
}

function findingLines({ verdict, says, advice }: Finding): readonly string[] {
  const line = `  ${verdict.padEnd(WIDTH)}${says}`;
  return advice === undefined ? [line] : [line, `  ${" ".repeat(WIDTH)}${advice}`];
}

const SUMMARIES = {
  problem: ["problem", "problems"],
  warning: ["warning", "warnings"],
  unknown: ["not examined", "not examined"],
  ok: ["in order", "in order"],
} as const;

function summaryOf(findings: readonly Finding[]): string {
  return VERDICTS.flatMap((verdict) => {
    const count = findings.filter((finding) => finding.verdict === verdict).length;
    const [one, many] = SUMMARIES[verdict];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  }).join(", ");
}

/** The shape is documented: fields are added, never renamed or removed. */
function findingsJson({ server, provider, atMs, findings }: Diagnosis): object {
  return {
    version: 1,
    server,
    provider,
    at: new Date(atMs).toISOString(),
    exitCode: exitCodeOfFindings(findings),
    findings,
  };
}
