import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { CARD_COLORS, CARD_DESIGNS, type CardColor, type CardDesign, type CardLook } from '#contract/card-terms.ts'
import { CardDrawing } from '#web/cards/card-drawing.tsx'
import { cx } from '#web/ui/cx.ts'

const COLOR_NAMES: Record<CardColor, MessageDescriptor> = {
  plum: msg({ message: 'Plum', context: 'color of a card' }),
  copper: msg({ message: 'Copper', context: 'color of a card' }),
  sky: msg({ message: 'Blue', context: 'color of a card' }),
  moss: msg({ message: 'Moss', context: 'color of a card' }),
  rose: msg({ message: 'Rose', context: 'color of a card' }),
  slate: msg({ message: 'Slate', context: 'color of a card' }),
}

const DESIGN_NAMES: Record<CardDesign, MessageDescriptor> = {
  rings: msg({ message: 'Rings', context: 'design of a card' }),
  leaves: msg({ message: 'Leaves', context: 'design of a card' }),
  river: msg({ message: 'River', context: 'design of a card' }),
  grain: msg({ message: 'Wood Grain', context: 'design of a card' }),
}

type LookProps = { value: CardLook; onChange: (look: CardLook) => void }

/** Shows the fields for a card's color and design. */
export function LookFields({ value, onChange }: LookProps) {
  const { t } = useLingui()
  return (
    <>
      <Choices
        title={t`Color`}
        value={value.colour}
        options={CARD_COLORS.map((color) => ({
          value: color,
          name: t(COLOR_NAMES[color]),
          className: `size-11 rounded-full card-art card-${color}`,
        }))}
        onChange={(color) => onChange({ ...value, colour: color })}
      />
      <Choices
        title={t`Design`}
        value={value.design}
        options={CARD_DESIGNS.map((design) => ({
          value: design,
          name: t(DESIGN_NAMES[design]),
          className: `h-13 w-19 rounded-control card-art card-${value.colour}`,
          drawn: { ...value, design },
        }))}
        onChange={(design) => onChange({ ...value, design })}
      />
    </>
  )
}

type Option<Value> = { value: Value; name: string; className: string; drawn?: CardLook }
type ChoicesProps<Value> = {
  title: string
  value: Value
  options: readonly Option<Value>[]
  onChange: (value: Value) => void
}

function Choices<Value extends string>({ title, value, options, onChange }: ChoicesProps<Value>) {
  const id = useId()
  return (
    <div role="radiogroup" aria-label={title}>
      <p aria-hidden className="flex justify-between gap-3 pb-2 text-[0.9375rem] font-medium">
        {title}
        <span className="font-normal text-ink-soft">{options.find((option) => option.value === value)?.name}</span>
      </p>
      <div className="flex flex-wrap gap-2.5">
        {options.map((option) => (
          <label
            key={option.value}
            title={option.name}
            className={cx(
              'relative isolate block forced-color-adjust-none cursor-pointer overflow-hidden text-on-brand ring-offset-2 ring-offset-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-primary',
              option.value === value && 'ring-2 ring-primary',
              option.className,
            )}
          >
            {option.drawn && (
              <span aria-hidden>
                <CardDrawing look={option.drawn} small />
              </span>
            )}
            <input
              type="radio"
              name={id}
              aria-label={option.name}
              data-tip
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
          </label>
        ))}
      </div>
    </div>
  )
}
