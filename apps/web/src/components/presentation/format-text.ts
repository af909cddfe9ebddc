import { formatCount } from "@cloudwright/core/model/language/counts";

export { formatCount };

const NUMBER_AND_UNIT = /(\d) (ms|s|min|h|d|j|%)(?![\p{L}\d])/gu;
const HOURS_AND_MINUTES = /(\d\u00a0h) (?=\d+\u00a0min)/gu;
const NO_BREAK = "\u00a0";

/** Prevents line breaks between a number and its unit. For display only: copied text keeps plain spaces. */
export function keepUnits(text: string): string {
  return text
    .replaceAll(NUMBER_AND_UNIT, `$1${NO_BREAK}$2`)
    .replaceAll(HOURS_AND_MINUTES, `$1${NO_BREAK}`);
}

const HOST_AND_UUID = /^(.+)_([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Shortens a controller's identity. Upstream uses the host name and a UUID; four of its digits are enough to tell restarts apart. */
export function shortIdentity(identity: string): string {
  const [, host, digits] = HOST_AND_UUID.exec(identity) ?? [];
  if (host === undefined || digits === undefined) return identity;
  return `${host} (${digits.slice(0, 4)})`;
}
