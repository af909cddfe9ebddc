import { randomUUID } from "node:crypto";
import { typedOf } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { SettingChange } from "@cloudwright/core/model/actions/setting-actions";
import {
  consequencesOfSetting,
  kindOfChange,
} from "@cloudwright/core/model/settings/setting-change";
import { canonicalValue, settingOf } from "@cloudwright/core/model/settings/settings";
import { type IntentContext, requestIntent } from "@cloudwright/store/intents/request-intent";
import { PlainError } from "../../plain-error.ts";
import { endsOf } from "../ledger/action-ends.ts";
import { print } from "../terminal/print.ts";

/** On whose behalf, in which cluster, and why to change a setting. */
export interface ChangeContext extends IntentContext {
  readonly cluster: string;
  readonly why: string;
  /** The new value repeated, required if the change cannot be undone. */
  readonly confirm?: string | undefined;
  /** Only shows the consequences. */
  readonly isDryRun: boolean;
}

/**
 * Has the leader plan the change, prints its consequences, and requests it with that plan, as the dashboard's dialog does. Throws
 * PlainError if the change was not made, and OperationError if it is refused at once.
 */
export async function changeSetting(context: ChangeContext, change: SettingChange): Promise<void> {
  const planHash = await planOf(context, change);
  const { setting, from, value } = change;
  await print(`--${setting}: ${from} -> ${value}\n`);
  for (const sentence of consequencesOfSetting(change)) await print(`  ${sentence}\n`);
  if (context.isDryRun) return print("Nothing was changed.\n");
  const confirmation = confirmed(context, change);
  const intent = await ask(context, change, { planHash, confirmation });
  if (intent.state === "awaiting-approval") {
    const until = new Date(intent.expiresAt).toISOString();
    return print(
      `It waits for the approval of another admin until ${until}: action ${intent.id} on the dashboard.\n`,
    );
  }
  const { state, result = "" } = await endOf(context, intent);
  if (state === "verified") return print(`${result}\n`);
  throw new PlainError(`--${setting} was not changed: the action is ${state}. ${result}`.trim());
}

/** Returns the hash of the leader's plan. */
async function planOf(context: ChangeContext, change: SettingChange): Promise<string> {
  const preview = await endOf(context, await ask(context, change, "preview"));
  if (preview.state === "verified" && preview.preview !== undefined)
    return preview.preview.planHash;
  const why =
    preview.result ?? `no leader answered (${preview.state}): check that a controller runs.`;
  throw new PlainError(`--${change.setting} was not changed: ${why}`);
}

/** Returns the confirmation, or undefined if none is needed. The user may write the value differently than the controller does. */
function confirmed({ confirm }: ChangeContext, change: SettingChange): string | undefined {
  const action = { kind: kindOfChange(change), ...change };
  const typed = typedOf(action, objectOf(change));
  if (typed === undefined) return undefined;
  if (confirm !== undefined && canonicalValue(change.setting, confirm) === typed.text) {
    return typed.text;
  }
  throw new PlainError(
    `Nothing was changed: this change has to be confirmed. Run the same command with --confirm=${typed.text}.`,
  );
}

type Asked = "preview" | { readonly planHash: string; readonly confirmation: string | undefined };

function ask(context: ChangeContext, change: SettingChange, how: Asked): Promise<Intent> {
  const { cluster, why } = context;
  const kind = kindOfChange(change);
  const object = objectOf(change);
  return requestIntent(context, {
    ...{ id: randomUUID(), cluster, why, object, controller: object.name },
    ...{ kind, action: { kind, ...change } },
    ...(how === "preview" ? { kind: "preview" } : how),
  });
}

function objectOf({ setting }: SettingChange) {
  return { kind: "Controller", name: settingOf(setting).controller } as const;
}

async function endOf(context: ChangeContext, { id }: Intent): Promise<Intent> {
  const intent = (await endsOf(context, [id])).get(id);
  if (intent !== undefined) return intent;
  throw new PlainError(
    "The action is no longer in the ledger, or only a newer release can read it; run the same command again.",
  );
}
