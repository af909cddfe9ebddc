"use client";
import { type ComponentProps, type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../../components/button/button.tsx";
import { useFetched } from "../../components/use-fetched.ts";

const load = () => import("./why-tooltip.tsx").then(({ WhyTooltip }) => WhyTooltip);

/** A button that keeps its place when it is disabled, and explains why to mouse, keyboard and screen reader users. */
export function GatedButton({
  whyNot,
  onClick,
  ...rest
}: ComponentProps<typeof Button> & { readonly whyNot: string | undefined }) {
  if (whyNot === undefined) return <Button {...rest} onClick={onClick} />;
  return <ClosedButton {...rest} whyNot={whyNot} />;
}

function ClosedButton({
  whyNot,
  ...rest
}: Omit<ComponentProps<typeof Button>, "onClick"> & { readonly whyNot: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isShown, setShown] = useState(false);
  const WhyTooltip = useFetched(load, isShown || undefined);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Escape") hide();
  };
  return (
    <>
      <Button
        {...rest}
        ref={button}
        type="button"
        aria-disabled="true"
        aria-description={whyNot}
        onPointerEnter={show}
        onPointerLeave={hide}
        onFocus={show}
        onBlur={hide}
        onKeyDown={onKeyDown}
      />
      {isShown && WhyTooltip !== undefined ? <WhyTooltip target={button} whyNot={whyNot} /> : null}
    </>
  );
}
