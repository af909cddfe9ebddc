/** Why the API server would refuse a label, as the end of a sentence; undefined when it would not. */
export function labelProblem(key: string, value: string): string | undefined {
  return keyProblem(key) ?? valueProblem(value);
}

export function valueProblem(value: string): string | undefined {
  if (value.length > 63) return "it is longer than 63 characters";
  if (value === "" || LABEL_VALUE.test(value)) return undefined;
  return "it has a character that is not allowed there";
}

function keyProblem(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  if (parts.length > 1) return "its key has more than one slash";
  if (name === "" || valueProblem(name) !== undefined) return "its key is not a valid name";
  const [prefix] = parts;
  if (prefix === undefined || (prefix.length <= 253 && DNS_SUBDOMAIN.test(prefix)))
    return undefined;
  return "its key's prefix is not a DNS name";
}

const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
