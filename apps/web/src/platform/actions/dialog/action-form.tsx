"use client";
import { actionOf } from "@cloudwright/core/model/actions/action";
import type { GuardStatus } from "@cloudwright/core/model/controls";
import { t } from "@cloudwright/core/model/language/text";
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { SinceText } from "../../../components/time/time-text.tsx";
import { useCluster } from "../../live/use-cluster.ts";
import { countOf } from "../../wording/action-title.ts";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import { buttonText } from "../action-kinds.ts";
import { closeDialog } from "../dialog-store.ts";
import type { ShownPlan } from "../plan/plan-facts.ts";
import { StepsLine } from "../steps-line.tsx";
import styles from "./action-dialog.module.css";
import { ApprovalNote } from "./approval-note.tsx";
import { type FieldProblems, fieldProblems, obstacleOf, typedFor } from "./confirmation-request.ts";
import { EndField, ReasonField, TypedField } from "./dialog-fields.tsx";
import { FormButtons } from "./form-buttons.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { type Confirmation, useConfirmation, useSilence } from "./use-confirmation.ts";
import { useEnd } from "./use-end.ts";
import { useLate, usePreview } from "./use-preview.ts";

/**
 * One form for all actions: what would happen, until when, the reason, and the buttons. `children` ask for the action's other values;
 * nothing is planned until those are complete.
 */
export function ActionForm({
  choice,
  isComplete = true,
  children,
}: {
  readonly choice: ActionChoice;
  readonly isComplete?: boolean;
  readonly children?: ReactNode;
}) {
  const { cluster, kind, nodes } = choice;
  const { isDestructive = false } = actionOf(kind);
  const form = useActionForm(choice, isComplete);
  const element = useRef<HTMLFormElement>(null);
  const confirm = () => {
    if (form.whyNot !== undefined) return;
    const [wrong] = Object.keys(form.confirm());
    // Focusing the field makes a screen reader announce its error.
    element.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDestructive) confirm();
  };
  return (
    <form ref={element} onSubmit={submit} className="grid gap-4" noValidate>
      {nodes === undefined ? null : <HeldNodes nodes={nodes} />}
      {children}
      {isComplete ? (
        <PreviewPanel
          cluster={cluster}
          action={form.action}
          preview={form.preview}
          moved={form.moved === undefined ? undefined : { from: form.confirmed, to: form.moved }}
        />
      ) : null}
      <EndField kind={kind} end={form.end} onChoose={form.chooseEnd} />
      <ReasonField
        value={form.fields.why}
        problem={form.problems.why}
        isFirst={!isDestructive && children === undefined}
        onChange={(why) => form.change({ why })}
      />
      <TypedField
        typed={isComplete ? typedFor(choice) : undefined}
        value={form.fields.typed}
        problem={form.problems.typed}
        onChange={(typed) => form.change({ typed })}
      />
      <ApprovalNote cluster={cluster} kind={kind} />
      <FormProgress confirmation={form.confirmation} />
      <FormButtons
        text={buttonText(choice)}
        isDestructive={isDestructive}
        isRequested={form.confirmation.state.kind === "waiting"}
        whyNot={form.whyNot}
        onConfirm={confirm}
      />
    </form>
  );
}

/** The nodes that would be deleted, each with the cloud's answer. Exactly these are released. */
function HeldNodes({ nodes }: { readonly nodes: GuardStatus["held"] }) {
  const id = useId();
  return (
    <section className={`stack ${styles.list}`} aria-labelledby={id}>
      <h3 id={id} className="body-size bold">
        {mixed`${countOf(nodes.length, "node")}, with what the cloud answered for each`}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer. */}
      <ul tabIndex={0} aria-labelledby={id}>
        {nodes.map(({ name, uid, since, because }) => (
          <li key={uid}>
            <strong>{name}</strong>{" "}
            <span className={styles.quiet}>{mixed`held for ${<SinceText at={since} />}`}</span>
            <span className="block small second">{keepUnits(because)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The progress of the request since the button was pressed. Errors stay here. */
function FormProgress({ confirmation }: { readonly confirmation: Confirmation }) {
  const { state, problem } = confirmation;
  if (problem !== undefined) return <Alert text={problem} />;
  if (state.kind === "ended") return <Alert text={state.sentence} />;
  if (state.kind !== "waiting") return null;
  return (
    <div role="status" className="stack">
      {state.intent === undefined ? null : <StepsLine intent={state.intent} />}
      <Waiting />
    </div>
  );
}

function Waiting() {
  const isLate = useLate("confirmed");
  const silence = useSilence();
  return (
    <p className={styles.quiet}>
      {mixed`${isLate ? silence : t`Requested.`} It continues if you close this: its progress is
        shown below every page.`}
    </p>
  );
}

function Alert({ text }: { readonly text: string }) {
  return (
    <p role="alert" className={`stack pad-2-3 break on-stuck round-small ${styles.error}`}>
      {text}
    </p>
  );
}

/** Holds the state of an action's form: its end, its plan, its fields and the progress of the request. */
function useActionForm(choice: ActionChoice, isComplete: boolean) {
  const { cluster, kind } = choice;
  const end = useEnd(kind, useCluster(cluster).skewMs);
  const action = actionOfChoice(choice, end.until);
  const preview = usePreview(choice, action, isComplete);
  const confirmation = useConfirmation(cluster);
  const [fields, setFields] = useState({ why: actionOf(kind).usualReason ?? "", typed: "" });
  const [tried, setTried] = useState(false);
  const [confirmed, setConfirmed] = useState<ShownPlan>();
  const { state } = confirmation;
  useEffect(() => {
    if (state.kind === "accepted") closeDialog();
    // The typed confirmation was for the previous plan.
    if (state.kind === "moved") setFields((now) => ({ ...now, typed: "" }));
  }, [state.kind]);

  const moved = state.kind === "moved" ? state.plan : undefined;
  const plan = moved ?? (preview.state.kind === "answered" ? preview.state.plan : undefined);
  const input = { choice, action: preview.action ?? action, plan, ...fields };
  const obstacle = moved === undefined ? obstacleOf(kind, preview.state) : undefined;
  const incomplete = isComplete ? undefined : t`The form is not complete yet.`;
  return {
    ...{ end, action, preview, confirmation, fields, moved },
    /** The plan that the user saw when they confirmed. */
    confirmed,
    problems: tried ? fieldProblems(input) : {},
    whyNot: state.kind === "waiting" ? t`It has been requested.` : (incomplete ?? obstacle),
    change: (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change })),
    chooseEnd: (lengthMs: number) => {
      confirmation.forget();
      end.choose(lengthMs);
    },
    /** Requests the action, or returns which fields are wrong. */
    confirm: (): FieldProblems => {
      const problems = fieldProblems(input);
      setTried(true);
      if (Object.keys(problems).length === 0) {
        setConfirmed(plan);
        confirmation.confirm(input);
      }
      return problems;
    },
  };
}
