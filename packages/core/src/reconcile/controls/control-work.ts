import type { ControlAction, RequestedAction } from "../../model/actions/action.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { SettingValues } from "../../model/settings/settings.ts";
import type { ControlRecord } from "./control-record.ts";

/** An action about a controller, the guard or a setting, and the record that it is about. */
export interface ControlWork<Kind extends ControlAction = ControlAction> {
  readonly record: ControlRecord;
  readonly requested: RequestedAction<Kind>;
  readonly object: ObjectRef;
}

/** Everything that the plan of a control action is made from. */
export interface ControlObserved<Kind extends ControlAction = ControlAction>
  extends ControlWork<Kind> {
  /** The API server's message when nothing can be written. */
  readonly unavailable: string | undefined;
  /** The controllers that run in this process; others can be neither paused nor resumed. */
  readonly controllers: ReadonlySet<string>;
  /** The values in force where no user has set anything else. */
  readonly flags: SettingValues;
}
