import { renameSync, writeFileSync } from "node:fs";

/** A machine of the fake's, as its Go program reads it. */
export interface Machine {
  readonly providerID: string;
  readonly type: string;
  readonly zone: string;
  readonly region: string;
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly shutdown?: boolean;
}

/** What a method does in place of its work. */
export interface Mishap {
  readonly error?: string;
  readonly elsewhere?: boolean;
  readonly notFound?: boolean;
  readonly notImplemented?: boolean;
}

/** Read when the provider begins. */
export interface Manner {
  readonly olderInterface?: boolean;
  readonly withoutZones?: boolean;
}

/** The state of upstream's fake, which it reads again for each call: a row changes the cloud by it. */
export class FakeState {
  readonly #path: string;
  readonly #manner: Manner;
  readonly #machines = new Map<string, Machine>();
  readonly #mishaps = new Map<string, Mishap>();

  constructor(path: string, manner: Manner) {
    this.#path = path;
    this.#manner = manner;
    this.#write();
  }

  /** There is this machine for the Node of this name, in place of the one of before. */
  put(name: string, more: Partial<Machine> = {}): void {
    this.#machines.set(name, { ...machineOf(name), ...more });
    this.#write();
  }

  drop(name: string): void {
    this.#machines.delete(name);
    this.#write();
  }

  /** From now on this befalls the method, for one machine alone where the key goes on with its ID; undefined: nothing any more. */
  befall(method: string, mishap: Mishap | undefined): void {
    if (mishap === undefined) this.#mishaps.delete(method);
    else this.#mishaps.set(method, mishap);
    this.#write();
  }

  /** Whole at any moment, as it is read at any. */
  #write(): void {
    const state = {
      ...this.#manner,
      externalIP: "198.51.100.7",
      instances: Object.fromEntries(this.#machines),
      mishaps: Object.fromEntries(this.#mishaps),
    };
    writeFileSync(`${this.#path}.new`, JSON.stringify(state));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function machineOf(name: string): Machine {
  return {
    ...{ providerID: `fake://${name}`, type: "m1", zone: "z1", region: "r1" },
    addresses: [
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "ExternalIP", address: "198.51.100.1" },
    ],
  };
}
