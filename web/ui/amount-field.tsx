import {
  type CSSProperties,
  type FocusEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { type Asset, ASSETS } from '#contract/money.ts'
import { withOwnMarks } from '#web/i18n/amount-marks.ts'
import { isSymbolBefore } from '#web/i18n/formats.ts'
import { editAmount, wholeAmount } from '#web/ui/amount-text.ts'
import { cx } from '#web/ui/cx.ts'
import { boxLook, FieldNote } from '#web/ui/field.tsx'

type AmountFieldProps = {
  label: string
  /** The text as typed; `readAmount` turns it into minor units. */
  value: string
  onChange: (text: string) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  name?: string
  asset?: Asset
  error?: string | undefined
  /** Stays in sight beside an error. */
  hint?: ReactNode
  /** What can be done about the amount; stands beside the hint. */
  action?: ReactNode
  disabled?: boolean
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Answers what puts the caret somewhere, once the text that was formatted is there. */
function useCaret(element: RefObject<HTMLInputElement | null>): (at: number) => void {
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current !== null && document.activeElement === element.current) {
      element.current?.setSelectionRange(caret.current, caret.current)
    }
    caret.current = null
  })
  return (at) => {
    caret.current = at
  }
}

/** One big amount of money: formats while it is typed and when it is left, keeps the caret and shrinks to fit. */
export function AmountField(props: AmountFieldProps) {
  const { label, value, onChange, onBlur, asset = 'USD', error, hint, action, ref, ...input } = props
  const id = useId()
  const element = useRef<HTMLInputElement>(null)
  const putCaret = useCaret(element)
  useImperativeHandle(ref, () => element.current as HTMLInputElement, [])

  const before = isSymbolBefore()
  const symbol = (
    <span aria-hidden className={value === '' ? 'text-line-strong' : undefined}>
      {ASSETS[asset].symbol}
    </span>
  )
  return (
    <div>
      <div className={cx('rounded-card px-5 pt-4 pb-3.5', boxLook(error), !error && 'shadow-card')}>
        <label htmlFor={id} className="block text-sm font-medium text-ink-soft">
          {label}
        </label>
        <div className="fit-line" style={{ '--chars': Math.max(value.length, 4) + 1.6 } as CSSProperties}>
          {/* Amounts are written from left to right in every language. */}
          <div
            dir="ltr"
            className={cx(
              'flex min-h-16 items-center font-semibold tracking-tight rtl:justify-end',
              before ? 'gap-1' : 'gap-2',
            )}
          >
            {before && symbol}
            <input
              {...input}
              ref={element}
              id={id}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              placeholder={withOwnMarks('0.00')}
              value={value}
              aria-invalid={error ? true : undefined}
              aria-describedby={cx(error && `${id}-error`, hint && `${id}-note`) || undefined}
              onChange={(event) => {
                const { value: next, selectionStart } = event.currentTarget
                const edit = editAmount(value, next, selectionStart ?? next.length, asset)
                putCaret(edit.caret)
                onChange(edit.text)
              }}
              onBlur={(event) => {
                const whole = wholeAmount(value, asset)
                if (whole !== value) onChange(whole)
                onBlur?.(event)
              }}
              className={cx(
                'tabular h-16 min-w-0 bg-transparent outline-none placeholder:text-line-strong',
                before ? 'w-full rtl:w-auto rtl:[field-sizing:content]' : '[field-sizing:content]',
              )}
            />
            {before || symbol}
          </div>
        </div>
        <FieldNote id={`${id}-error`} error={error} />
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <FieldNote id={`${id}-note`} hint={hint} />
          {action}
        </div>
      </div>
    </div>
  )
}
