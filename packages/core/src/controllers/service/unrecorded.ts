/** What a change needs and no record keeps: it leaves no trace where a change becomes text. */
export class Unrecorded<Value> {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }

  toJSON(): undefined {
    return undefined;
  }
}
