import { useLingui } from '@lingui/react/macro'
import {
  type ChangeEvent,
  type ClipboardEvent,
  type CSSProperties,
  type DragEvent,
  type FocusEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Asset, ASSETS } from '#contract/money.ts'
import { currencyName, isSymbolBefore, leftToRight } from '#web/i18n/formats.ts'
import { amountText, plainAmount, readAmount, saidAmount, wholeAmount } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { boxLook, Field, FieldNote } from '#web/ui/field.tsx'

type AmountFieldProps = {
  label: string
  /** The text as typed; `readAmount` turns it into minor units. */
  value: string
  onChange: (text: string) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  name?: string
  asset?: Asset
  /** One amount that a screen is about, one field among others, or one inside a row that names it. */
  look?: 'big' | 'line' | 'inline'
  /** Hundredths of a per cent, which are written as cents are. */
  isPercent?: boolean
  error?: string | undefined
  /** Stays in sight beside an error. */
  hint?: ReactNode
  /** What can be done about the amount; stands beside the hint. */
  action?: ReactNode
  placeholder?: string
  enterKeyHint?: 'send'
  disabled?: boolean
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Two lines are two amounts. Browsers make a space of the break, which parts thousands. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]+/g

/**
 * What every amount field does. What is typed stays as it is typed, so that it is read as it stands whatever way it came.
 * What the bank wrote has no marks between thousands while it is changed: they would be read as typed.
 */
function useAmount({ value, onChange, onBlur, asset = 'USD', isPercent = false, ref }: AmountFieldProps) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => element.current as HTMLInputElement, [])
  const [typed, setTyped] = useState<string | null>(null)
  const [isFocused, setFocused] = useState(false)
  const [said, setSaid] = useState('')
  const shown = isFocused && value !== typed ? plainAmount(value, asset) : value
  const isPlain = shown !== value
  useLayoutEffect(() => {
    if (isPlain && document.activeElement === element.current) element.current?.select()
  }, [isPlain])

  const say = (amountMinor: number) =>
    isPercent ? leftToRight(`${amountText(amountMinor)}%`) : saidAmount(amountMinor, asset)
  const reading = readAmount(value, asset)
  const type = (text: string): void => {
    setTyped(text)
    setSaid('')
    onChange(text)
  }
  /** Keeps lines apart by a tab, which no amount has, so that they are refused. */
  const insert = (event: ClipboardEvent<HTMLInputElement> | DragEvent<HTMLInputElement>, data: DataTransfer): void => {
    const text = data.getData('text/plain').trim()
    const apart = text.replaceAll(LINE_BREAK, '\t')
    if (apart === text) return
    event.preventDefault()
    const input = event.currentTarget
    const [start, end] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length]
    input.focus()
    type(input.value.slice(0, start) + apart + input.value.slice(end))
  }
  return {
    shown,
    said,
    choices: reading.state === 'unsure' ? reading.readings.map((minor) => ({ minor, text: say(minor) })) : [],
    choose: (minor: number) => {
      setTyped(null)
      setSaid(say(minor))
      onChange(amountText(minor, asset))
      element.current?.focus()
    },
    input: {
      ref: element,
      value: shown,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => type(currentTarget.value),
      onPaste: (event: ClipboardEvent<HTMLInputElement>) => insert(event, event.clipboardData),
      onDrop: (event: DragEvent<HTMLInputElement>) => insert(event, event.dataTransfer),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent<HTMLInputElement>) => {
        if (typed !== null && reading.state === 'read') setSaid(say(reading.amountMinor))
        setFocused(false)
        setTyped(null)
        const whole = wholeAmount(value, asset)
        if (whole !== value) onChange(whole)
        onBlur?.(event)
      },
      type: 'text',
      inputMode: 'decimal',
      autoComplete: 'off',
    } satisfies InputHTMLAttributes<HTMLInputElement> & { ref: Ref<HTMLInputElement> },
  }
}

/**
 * An amount. Once it is left it is written as it will be sent, and read out; while it may be one of two amounts, both can be
 * chosen.
 */
export function AmountField(props: AmountFieldProps) {
  const {
    look = 'big',
    value: _value,
    onChange: _onChange,
    onBlur: _onBlur,
    ref: _ref,
    asset,
    isPercent,
    ...rest
  } = props
  const { input, ...amount } = useAmount(props)
  const id = useId()
  const unit = isPercent ? '%' : currencyName(asset ?? 'USD')
  const all = { ...rest, ...input, ...(unit && { 'aria-describedby': id }) }
  return (
    <div>
      {/* Read with the field: the symbol beside it stands for it. */}
      <span id={id} hidden>
        {unit}
      </span>
      {look === 'big' && <BigBox {...all} asset={asset ?? 'USD'} />}
      {look === 'line' && <Line {...all} />}
      {look === 'inline' && <Inline {...all} mark={isPercent ? '%' : ASSETS[asset ?? 'USD'].symbol} />}
      <Choices {...amount} />
    </div>
  )
}

type BoxProps = Pick<AmountFieldProps, 'label' | 'name' | 'error' | 'hint' | 'action'> &
  ReturnType<typeof useAmount>['input'] & { 'aria-describedby'?: string }

function Line({ action: _action, ...field }: BoxProps) {
  return <Field {...field} dir="ltr" />
}

/** Becomes smaller where the amount is wider than its box. */
function BigBox({ label, error, hint, action, asset, ...input }: BoxProps & { asset: Asset }) {
  const id = useId()
  const before = isSymbolBefore()
  const symbol = (
    <span aria-hidden className={input.value === '' ? 'text-line-strong' : undefined}>
      {ASSETS[asset].symbol}
    </span>
  )
  return (
    <div className={cx('rounded-card px-5 pt-4 pb-3.5', boxLook(error), !error && 'shadow-card')}>
      <label htmlFor={id} className="block text-sm font-medium text-ink-soft">
        {label}
      </label>
      <div className="fit-line" style={{ '--chars': Math.max(input.value.length, 4) + 2.6 } as CSSProperties}>
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
            placeholder={amountText(0)}
            {...input}
            id={id}
            // Where there is no field-sizing (Safari before 26.2).
            size={(input.value || amountText(0)).length}
            aria-invalid={error ? true : undefined}
            aria-describedby={cx(error && `${id}-error`, input['aria-describedby'], hint && `${id}-note`) || undefined}
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
  )
}

/** `mark`: what stands beside the figures, before them only where it is a currency that the language writes there. */
function Inline({ label, error, hint: _hint, action: _action, mark, ...input }: BoxProps & { mark: string }) {
  const before = mark !== '%' && isSymbolBefore()
  const beside = (
    <span aria-hidden className="px-1 text-ink-soft">
      {mark}
    </span>
  )
  return (
    <div dir="ltr" className={cx('flex min-h-11 items-center rounded-control px-3', boxLook(error))}>
      {before && beside}
      <input
        {...input}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        className="tabular min-h-11 w-full min-w-0 bg-transparent outline-none"
      />
      {before || beside}
    </div>
  )
}

type ChoicesProps = Pick<ReturnType<typeof useAmount>, 'said' | 'choices' | 'choose'>

/** The amounts that a text may be; and what a screen reader is told of the field. */
function Choices({ said, choices, choose }: ChoicesProps) {
  const { t } = useLingui()
  const id = useId()
  const question = choices.length === 1 ? t`Do you mean this amount?` : t`Which amount do you mean?`
  return (
    <>
      <span aria-live="polite" className="sr-only">
        {choices.length === 0 ? said : [question, ...choices.map(({ text }) => text)].join(' ')}
      </span>
      {choices.length > 0 && (
        <div role="group" aria-labelledby={id} className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 px-1">
          <span id={id} className="w-full text-sm text-ink-soft">
            {question}
          </span>
          {choices.map(({ minor, text }) => (
            <Button key={minor} variant="secondary" size="small" className="tabular" onClick={() => choose(minor)}>
              {text}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
