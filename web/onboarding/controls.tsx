import { Trans, useLingui } from '@lingui/react/macro'
import { type MouseEvent, useLayoutEffect, useRef } from 'react'
import { SLIDES } from '#web/onboarding/slides.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'

type ControlsProps = { slide: number; go: (slide: number) => void }

/** Shows a dot for each slide and the button to continue: to the next slide or, from the last one, to the bank. */
export function Controls({ slide, go }: ControlsProps) {
  const last = slide === SLIDES.length - 1
  const { controls, wayOn } = useKeptFocus()
  return (
    <div
      {...controls}
      className="controls flex flex-col items-center px-6 pb-4 sm:absolute sm:end-0 sm:bottom-0 sm:w-1/2 sm:px-12 sm:pb-8"
    >
      <Dots slide={slide} go={go} />
      {/* The space for both buttons is reserved on every slide, so that Next does not move. */}
      <div className="grid min-h-25 w-full content-start gap-1">
        {last ? (
          <>
            <ButtonLink ref={wayOn} to={paths.signup} onClick={notTwice} className="arriving">
              <Trans>Get Started</Trans>
            </ButtonLink>
            <ButtonLink to={paths.login} variant="quiet" size="small" onClick={notTwice} className="arriving">
              <Trans>I Already Have an Account</Trans>
            </ButtonLink>
          </>
        ) : (
          <Button ref={wayOn} onClick={() => go(slide + 1)}>
            <Trans context="slide">Next</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

/** Ignores the second click of a double-click, which was meant for Next in the same place. */
function notTwice(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault()
}

function Dots({ slide, go }: ControlsProps) {
  const { t } = useLingui()
  return (
    <div role="group" aria-label={t`Choose a slide`} className="flex">
      {SLIDES.map((item, index) => {
        const number = index + 1
        const name = t(item.name)
        return (
          <button
            key={item.id}
            type="button"
            aria-label={t`Slide ${number}: ${name}`}
            aria-current={index === slide || undefined}
            onClick={() => go(index)}
            className="group grid size-11 place-items-center rounded-full -outline-offset-4"
          >
            <span
              className={cx(
                'h-2 rounded-full transition-[width,background-color] duration-300 ease-out-soft',
                index === slide ? 'w-7 bg-primary' : 'w-2 bg-line-strong group-hover:bg-primary',
              )}
            />
          </button>
        )
      })}
    </div>
  )
}

/**
 * Keeps the focus within the controls when the focused button is replaced: the button to continue gets the focus. React fires
 * no blur event for a removed element, so `isHeld` is still true then.
 */
function useKeptFocus() {
  const controls = useRef<HTMLDivElement>(null)
  const wayOn = useRef<HTMLAnchorElement & HTMLButtonElement>(null)
  const isHeld = useRef(false)
  useLayoutEffect(() => {
    if (isHeld.current && !controls.current?.contains(document.activeElement))
      wayOn.current?.focus({ preventScroll: true })
  })
  return {
    wayOn,
    controls: {
      ref: controls,
      onFocus: () => (isHeld.current = true),
      onBlur: () => (isHeld.current = false),
    },
  }
}
