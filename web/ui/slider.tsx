import { CircleMinus, CirclePlus, type LucideIcon } from 'lucide-react'
import { type ChangeEvent, type CSSProperties, type FocusEvent, type ReactNode, type Ref, useId } from 'react'
import { cx } from '#web/ui/cx.ts'
import { FieldNote } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import '#web/ui/slider.css'

export type SliderScale = { least: number; most: number; step: number }

type SliderFieldProps = {
  label: string
  /** The text as typed. The caller checks whether the number is on the scale. */
  text: string
  /** The number in the text; null if the text is not a number. */
  value: number | null
  scale: SliderScale
  /** Returns a value as text: '$5,000', '24 months'. */
  say: (value: number) => string
  /** The labels of the buttons that go one step down and up. */
  less: string
  more: string
  /** Content beside the input. */
  before?: ReactNode
  after?: ReactNode
  error?: string | undefined
  name: string
  ref?: Ref<HTMLInputElement>
  onText: (event: ChangeEvent<HTMLInputElement>) => void
  onBlur: (event: FocusEvent<HTMLInputElement>) => void
  /** Called with the chosen value of the scale. */
  onChange: (value: number) => void
}

/** Returns the value of a scale nearest to a number. */
export function nearestStep(value: number, { least, most, step }: SliderScale): number {
  const steps = Math.round((value - least) / step)
  return Math.max(least, Math.min(most, least + steps * step))
}

/** Returns the next value of a scale below or above a number. A number between two values moves to one of them. */
export function stepFrom(value: number, direction: -1 | 1, scale: SliderScale): number {
  const { least, most, step } = scale
  const place = (value - least) / step
  const next = direction < 0 ? Math.ceil(place) - 1 : Math.floor(place) + 1
  return Math.max(least, Math.min(most, least + next * step))
}

/** A number on a scale, which is dragged, stepped or typed. */
export function SliderField(props: SliderFieldProps) {
  const { label, text, value, scale, say, less, more, before, after, error, name, ref, onText, onBlur, onChange } =
    props
  const id = useId()
  const nearestValue = nearestStep(value ?? scale.least, scale)
  const go = (direction: -1 | 1) => onChange(stepFrom(value ?? nearestValue, direction, scale))
  return (
    <div>
      <label htmlFor={id} id={`${id}-label`} className="block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div className="@container -mx-2">
        <div className="flex items-center gap-1 @max-[13rem]:flex-wrap @max-[13rem]:justify-between">
          <StepButton
            icon={CircleMinus}
            label={less}
            atEnd={value !== null && value <= scale.least}
            onClick={() => go(-1)}
          />
          <div
            className="fit-line min-w-0 flex-1 @max-[13rem]:order-first @max-[13rem]:basis-full"
            style={{ '--chars': text.length + 2.5, '--fit-max': '2.25rem' } as CSSProperties}
          >
            <div className="flex items-baseline justify-center gap-1 font-semibold tracking-tight">
              {/* An amount is written from left to right in every language. */}
              <span dir="ltr" className="flex min-w-0 items-baseline gap-1">
                {before}
                <input
                  ref={ref}
                  id={id}
                  name={name}
                  type="text"
                  inputMode="numeric"
                  autoComplete="off"
                  value={text}
                  // For browsers without `field-sizing`, such as Safari before 26.2.
                  size={Math.max(text.length, 1)}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={cx(error && `${id}-error`, `${id}-value`)}
                  onChange={onText}
                  onBlur={onBlur}
                  className={cx(
                    'tabular h-[1.5em] max-w-full min-w-[1.5em] rounded-lg bg-transparent text-center underline decoration-line-strong decoration-dotted decoration-2 underline-offset-[0.2em] [field-sizing:content]',
                    error && 'text-danger',
                  )}
                />
              </span>
              {after}
            </div>
          </div>
          <StepButton
            icon={CirclePlus}
            label={more}
            atEnd={value !== null && value >= scale.most}
            onClick={() => go(1)}
          />
        </div>
      </div>
      {/* Screen readers need the currency or the unit in addition to the digits. */}
      <span id={`${id}-value`} hidden>
        {value !== null && say(value)}
      </span>
      <Track labelId={`${id}-label`} value={nearestValue} scale={scale} say={say} onChange={onChange} />
      <div className="tabular flex justify-between gap-3 text-sm text-ink-soft">
        <span>{say(scale.least)}</span>
        <span className="text-end">{say(scale.most)}</span>
      </div>
      <FieldNote id={`${id}-error`} error={error} />
    </div>
  )
}

type StepButtonProps = { icon: LucideIcon; label: string; atEnd: boolean; onClick: () => void }

/**
 * A button for one step. At the end of the scale it stays focusable and does nothing, because a disabled button would lose the
 * focus.
 */
function StepButton({ icon, label, atEnd, onClick }: StepButtonProps) {
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-disabled={atEnd || undefined}
      className="!text-primary aria-disabled:cursor-default aria-disabled:opacity-40 [&_svg]:!size-8 [&_svg]:!stroke-[1.5]"
      onClick={() => atEnd || onClick()}
    />
  )
}

type TrackProps = { labelId: string; value: number } & Pick<SliderFieldProps, 'scale' | 'say' | 'onChange'>

/** The browser's own slider, because screen readers on phones cannot move a custom one. */
function Track({ labelId, value, scale: { least, most, step }, say, onChange }: TrackProps) {
  return (
    <div className="relative h-11" style={{ '--part': (value - least) / (most - least) } as CSSProperties}>
      <div
        aria-hidden
        className="absolute inset-x-0 top-1/2 h-2 -translate-y-1/2 overflow-hidden rounded-full bg-muted forced-colors:hidden"
      >
        <div className="slider-fill h-full bg-primary" />
      </div>
      <input
        type="range"
        aria-labelledby={labelId}
        aria-valuetext={say(value)}
        min={least}
        max={most}
        step={step}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
        className="slider absolute inset-y-0 -start-[8px] h-full w-[calc(100%+16px)]"
      />
    </div>
  )
}
