import type { Grant } from "@cloudwright/core/controllers/controller-module";

/** One verb on one resource in one place: what the API server can be asked about. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** Plural, with its subresource: `nodes/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** What does not work without it. */
  readonly without: string;
}

/** The single rights of grants, each once. */
export function rightsOf(grants: readonly Grant[]): readonly Right[] {
  const rights = new Map<string, Right>();
  for (const right of grants.flatMap(singleRights)) {
    const text = rightText(right);
    if (!rights.has(text)) rights.set(text, right);
  }
  return [...rights.values()];
}

/** `patch nodes/status`, `update leases/cloud-controller-manager in kube-system`. */
export function rightText({ verb, resource, namespace, name }: Right): string {
  const object = name === undefined ? resource : `${resource}/${name}`;
  return `${verb} ${object}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

function singleRights({ verbs, names, ...rest }: Grant): readonly Right[] {
  return verbs.flatMap((verb) =>
    names === undefined
      ? [{ verb, ...rest }]
      : names.map((name): Right => ({ verb, name, ...rest })),
  );
}
