/** Keys of rows: each the same function each time, so that a list can tell whether it shows others. */
export function uidOf({ uid }: { readonly uid: string }): string {
  return uid;
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

export function stateOf<State extends string>({ state }: { readonly state: State }): State {
  return state;
}
