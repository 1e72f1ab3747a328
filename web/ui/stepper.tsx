import { useLingui } from '@lingui/react/macro'
import { cx } from '#web/ui/cx.ts'

/** A progress bar with one segment for each step. */
export function Stepper({ step, steps, label }: { step: number; steps: number; label: string }) {
  const { t } = useLingui()
  const text = t`Step ${step} of ${steps}`
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={steps}
      aria-valuenow={step}
      aria-valuetext={text}
    >
      <p aria-hidden className="tabular text-sm font-medium text-ink-soft">
        {text}
      </p>
      <div className="mt-2 flex gap-1.5">
        {Array.from({ length: steps }, (_, index) => (
          <span key={index} className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
            <span
              className={cx(
                'block h-full origin-left rounded-full bg-primary transition-transform duration-500 ease-out-soft rtl:origin-right',
                index >= step && 'scale-x-0',
              )}
            />
          </span>
        ))}
      </div>
    </div>
  )
}
