/** Labels in a cell: `a=b,c=d`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.join(",") || "<none>";
}
