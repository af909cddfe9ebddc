import type { ControlRecord } from "./control-record.ts";

/** Makes the new record from the current one. It is called again if somebody else wrote meanwhile. */
export type Edit<Answer> = (record: ControlRecord) => {
  readonly record: ControlRecord;
  readonly answer: Answer;
};

/** An edit that is not written yet, and the caller waiting for its answer. */
export interface WaitingEdit {
  readonly mustOutlive: boolean;
  edit(record: ControlRecord): ControlRecord;
  /** Resolves with the answer of the edit's last attempt. */
  resolve(): void;
  reject(error: unknown): void;
}

interface EditOptions<Answer> {
  readonly edit: Edit<Answer>;
  readonly mustOutlive: boolean;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export function waitingEdit<Answer>(action: EditOptions<Answer>): WaitingEdit {
  let answers: readonly Answer[] = [];
  return {
    mustOutlive: action.mustOutlive,
    edit: (record) => {
      const edited = action.edit(record);
      answers = [edited.answer];
      return edited.record;
    },
    resolve: () => {
      for (const answer of answers) action.resolve(answer);
    },
    reject: action.reject,
  };
}

export function editAll(record: ControlRecord, waiting: readonly WaitingEdit[]): ControlRecord {
  return waiting.reduce((edited, { edit }) => edit(edited), record);
}
