const RESERVED: ReadonlySet<string> = new Set(["time", "level", "msg", "err"]);

/** One JSON line of the log as a person reads it: time, level, message, then `field=value`. An error's stack follows. */
export function textLine(json: string): string {
  const entry = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const fields = Object.entries(entry)
    .filter(([name]) => !RESERVED.has(name))
    .map(([name, value]) => ` ${name}=${shown(value)}`);
  const level = String(entry.level).toUpperCase().padEnd(5);
  const head = `${String(entry.time)} ${level} ${String(entry.msg ?? "")}`;
  return `${head}${fields.join("")}${errorPart(entry.err)}\n`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

function errorPart(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const { message, stack } = error as { readonly message?: string; readonly stack?: string };
  return `${message === undefined ? "" : ` err=${JSON.stringify(message)}`}${stack === undefined ? "" : `\n${indented(stack)}`}`;
}

/** A message of several lines stands in its stack: none of them may look like a line of the log. */
function indented(stack: string): string {
  return stack.replaceAll(/\n(?! )/g, "\n    ");
}
