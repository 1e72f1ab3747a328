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
import { amountText, ungroupAmount, parseAmount, amountWithSymbol, completeAmount } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { boxLook, Field, FieldNote } from '#web/ui/field.tsx'

type AmountFieldProps = {
  label: string
  /** The text as typed. `parseAmount` converts it to minor units. */
  value: string
  onChange: (text: string) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  name?: string
  asset?: Asset
  /** `big`: the main amount of a screen. `line`: a field among others. `inline`: a field inside a row with its name. */
  look?: 'big' | 'line' | 'inline'
  /** True for a percentage in hundredths of a percent, which is typed with two decimals, like cents. */
  isPercent?: boolean
  error?: string | undefined
  /** `big` shows the hint also while there is an error. `line` shows the error instead. `inline` shows no hint. */
  hint?: ReactNode
  /** An action on the amount, beside the hint. Only `big` shows it. */
  action?: ReactNode
  placeholder?: string
  enterKeyHint?: 'send'
  disabled?: boolean
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Two lines are two amounts. Browsers replace the line break by a space, which separates thousands. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]+/g

/**
 * Returns the behavior of every amount field. The typed text is never changed during typing. An amount that the app formatted
 * loses its group marks while the field has the focus. Otherwise the marks would be read as if the customer had typed them.
 */
function useAmount({ value, onChange, onBlur, asset = 'USD', isPercent = false, ref }: AmountFieldProps) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => element.current as HTMLInputElement, [])
  const [typedText, setTypedText] = useState<string | null>(null)
  const [isFocused, setFocused] = useState(false)
  const [announcement, setSaid] = useState('')
  const displayedText = isFocused && value !== typedText ? ungroupAmount(value, asset) : value
  const isPlain = displayedText !== value
  useLayoutEffect(() => {
    if (isPlain && document.activeElement === element.current) element.current?.select()
  }, [isPlain])

  const announceAmount = (amountMinor: number) =>
    isPercent ? leftToRight(`${amountText(amountMinor)}%`) : amountWithSymbol(amountMinor, asset)
  const reading = parseAmount(value, asset)
  const type = (text: string): void => {
    setTypedText(text)
    setSaid('')
    onChange(text)
  }
  /** Separates lines by a tab. No amount contains a tab, so two pasted lines are refused. */
  const insert = (event: ClipboardEvent<HTMLInputElement> | DragEvent<HTMLInputElement>, data: DataTransfer): void => {
    const text = data.getData('text/plain').trim()
    const cells = text.replaceAll(LINE_BREAK, '\t')
    if (cells === text) return
    event.preventDefault()
    const input = event.currentTarget
    const [start, end] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length]
    input.focus()
    type(input.value.slice(0, start) + cells + input.value.slice(end))
  }
  return {
    shown: displayedText,
    announcement,
    choices:
      reading.state === 'unsure' ? reading.readings.map((minor) => ({ minor, text: announceAmount(minor) })) : [],
    choose: (minor: number) => {
      setTypedText(null)
      setSaid(announceAmount(minor))
      onChange(amountText(minor, asset))
      element.current?.focus()
    },
    input: {
      ref: element,
      value: displayedText,
      onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => type(currentTarget.value),
      onPaste: (event: ClipboardEvent<HTMLInputElement>) => insert(event, event.clipboardData),
      onDrop: (event: DragEvent<HTMLInputElement>) => insert(event, event.dataTransfer),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent<HTMLInputElement>) => {
        if (typedText !== null && reading.state === 'read') setSaid(announceAmount(reading.amountMinor))
        setFocused(false)
        setTypedText(null)
        const completedText = completeAmount(value, asset)
        if (completedText !== value) onChange(completedText)
        onBlur?.(event)
      },
      type: 'text',
      inputMode: 'decimal',
      autoComplete: 'off',
    } satisfies InputHTMLAttributes<HTMLInputElement> & { ref: Ref<HTMLInputElement> },
  }
}

/**
 * A field for an amount. When the field loses the focus, it shows the amount that will be sent, and a screen reader reads that
 * amount. If the text has two possible meanings, the customer can choose one.
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
    ...otherProps
  } = props
  const { input, ...amount } = useAmount(props)
  const id = useId()
  const unit = isPercent ? '%' : currencyName(asset ?? 'USD')
  const boxProps = { ...otherProps, ...input, ...(unit && { 'aria-describedby': id }) }
  return (
    <div>
      {/* The currency is hidden text for screen readers, because the visible symbol is decorative. */}
      <span id={id} hidden>
        {unit}
      </span>
      {look === 'big' && <BigBox {...boxProps} asset={asset ?? 'USD'} />}
      {look === 'line' && <Line {...boxProps} />}
      {look === 'inline' && <Inline {...boxProps} mark={isPercent ? '%' : ASSETS[asset ?? 'USD'].symbol} />}
      <Choices {...amount} />
    </div>
  )
}

type BoxProps = Pick<AmountFieldProps, 'label' | 'name' | 'error' | 'hint' | 'action'> &
  ReturnType<typeof useAmount>['input'] & { 'aria-describedby'?: string }

function Line({ action: _action, ...field }: BoxProps) {
  return <Field {...field} dir="ltr" />
}

/** The field of a screen's main amount. The font becomes smaller if the amount is wider than its box. */
function BigBox({ label, error, hint, action, asset, ...input }: BoxProps & { asset: Asset }) {
  const id = useId()
  const hasPrefix = isSymbolBefore()
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
            hasPrefix ? 'gap-1' : 'gap-2',
          )}
        >
          {hasPrefix && symbol}
          <input
            placeholder={amountText(0)}
            {...input}
            id={id}
            // For browsers without `field-sizing`, such as Safari before 26.2.
            size={(input.value || amountText(0)).length}
            aria-invalid={error ? true : undefined}
            aria-describedby={cx(error && `${id}-error`, input['aria-describedby'], hint && `${id}-note`) || undefined}
            className={cx(
              'tabular h-16 min-w-0 bg-transparent outline-none placeholder:text-line-strong',
              hasPrefix ? 'w-full rtl:w-auto rtl:[field-sizing:content]' : '[field-sizing:content]',
            )}
          />
          {hasPrefix || symbol}
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

/**
 * `mark` is the symbol beside the figures. It is in front of the figures only if it is a currency symbol and the language
 * writes currency symbols there.
 */
function Inline({ label, error, hint: _hint, action: _action, mark, ...input }: BoxProps & { mark: string }) {
  const hasPrefix = mark !== '%' && isSymbolBefore()
  const symbol = (
    <span aria-hidden className="px-1 text-ink-soft">
      {mark}
    </span>
  )
  return (
    <div dir="ltr" className={cx('flex min-h-11 items-center rounded-control px-3', boxLook(error))}>
      {hasPrefix && symbol}
      <input
        {...input}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        className="tabular min-h-11 w-full min-w-0 bg-transparent outline-none"
      />
      {hasPrefix || symbol}
    </div>
  )
}

type ChoicesProps = Pick<ReturnType<typeof useAmount>, 'announcement' | 'choices' | 'choose'>

/** The possible meanings of a text, as buttons, and the announcement for screen readers. */
function Choices({ announcement, choices, choose }: ChoicesProps) {
  const { t } = useLingui()
  const id = useId()
  const question = choices.length === 1 ? t`Did you mean this amount?` : t`Which amount did you mean?`
  return (
    <>
      <span aria-live="polite" className="sr-only">
        {choices.length === 0 ? announcement : [question, ...choices.map(({ text }) => text)].join(' ')}
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
