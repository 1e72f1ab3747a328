import { Check, CreditCard, Landmark, type LucideIcon, Wallet } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { TopUpMethod } from '#contract/accounts.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { formatAmount } from '#contract/money.ts'
import { addMoney, useBusinessNow } from '#web/accounts/queries.ts'
import { longDay } from '#web/lib/dates.ts'
import { useLater } from '#web/lib/later.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { readAmount } from '#web/ui/amount-text.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Screen } from '#web/ui/screen.tsx'

const PRESETS = ['20', '50', '100', '500'] as const
const BACK_AFTER_MS = 1500

const METHODS: readonly { value: TopUpMethod; label: string; time: string; icon: LucideIcon }[] = [
  { value: 'card', label: 'Debit Card', time: 'Instant', icon: CreditCard },
  { value: 'bank', label: 'Bank Transfer', time: '1-2 business days', icon: Landmark },
  { value: 'wallet', label: 'Digital Wallet', time: 'Instant', icon: Wallet },
]

type Form = { amount: string; method: TopUpMethod | '' }

/** What is wrong with the form, in the spec's order, and the field it is about. */
function faultOf({ amount, method }: Form): { code: ErrorCode; field: keyof Form } | null {
  const reading = readAmount(amount)
  if (reading.state === 'too_large') return { code: 'amount_too_large', field: 'amount' }
  if (reading.state !== 'read') return { code: 'amount_invalid', field: 'amount' }
  return method === '' ? { code: 'method_missing', field: 'method' } : null
}

/** The form and what happens when it is sent. */
function useAddMoneyForm() {
  const navigate = useNavigate()
  const later = useLater()
  const now = useBusinessNow()
  const form = useForm<Form>({ defaultValues: { amount: '', method: '' }, reValidateMode: 'onSubmit' })
  const { submit, refuse, busy, done } = useSubmission({
    keyed: true,
    send: addMoney,
    loading: ({ amountMinor, asset }) => `Adding ${formatAmount(amountMinor, asset)}…`,
    success: ({ settlesAt }, { amountMinor, asset }) => ({
      message: `${formatAmount(amountMinor, asset)} added successfully!`,
      ...(settlesAt && { description: `It's on its way from your bank and arrives by ${longDay(settlesAt, now)}.` }),
    }),
  })

  const onSubmit = form.handleSubmit(async (values) => {
    const fault = faultOf(values)
    if (fault) {
      form.setError(fault.field, { message: ERRORS[fault.code].message }, { shouldFocus: true })
      refuse(fault.code)
      return
    }
    const reading = readAmount(values.amount)
    if (reading.state !== 'read' || values.method === '') return
    const answer = await submit({ amountMinor: reading.amountMinor, asset: 'USD', method: values.method })
    if (answer) later(() => void navigate(paths.dashboard), BACK_AFTER_MS)
  })

  return { form, onSubmit, busy, done }
}

export function AddMoneyScreen() {
  const { form, onSubmit, busy, done } = useAddMoneyForm()
  return (
    <Screen title="Add Money" back={paths.dashboard}>
      <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-6">
        <Controller
          control={form.control}
          name="amount"
          render={({ field, fieldState }) => (
            <div>
              <AmountField
                {...field}
                label="Amount"
                error={fieldState.error?.message}
                onChange={(text) => {
                  field.onChange(text)
                  form.clearErrors('amount')
                }}
              />
              <Presets
                value={field.value}
                onChoose={(text) => {
                  field.onChange(text)
                  form.clearErrors('amount')
                }}
              />
            </div>
          )}
        />
        <Controller
          control={form.control}
          name="method"
          render={({ field, fieldState }) => (
            <Methods
              value={field.value}
              error={fieldState.error?.message}
              onChoose={(method) => {
                field.onChange(method)
                form.clearErrors('method')
              }}
            />
          )}
        />
        <Button
          type="submit"
          busy={busy}
          disabled={done}
          icon={done && <Check aria-hidden className="size-5" strokeWidth={2.4} />}
        >
          Add Money
        </Button>
      </form>
    </Screen>
  )
}

function Presets({ value, onChoose }: { value: string; onChoose: (text: string) => void }) {
  return (
    <div role="group" aria-label="Quick choices" className="mt-3 grid grid-cols-4 gap-2">
      {PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={value === preset}
          onClick={() => onChoose(preset)}
          className={cx(
            'tabular min-h-11 rounded-full border font-semibold transition-colors',
            value === preset ? 'border-leaf bg-leaf-wash text-leaf' : 'border-line bg-surface hover:bg-sunken',
          )}
        >
          ${preset}
        </button>
      ))}
    </div>
  )
}

type MethodsProps = { value: string; error: string | undefined; onChoose: (method: TopUpMethod) => void }

function Methods({ value, error, onChoose }: MethodsProps) {
  return (
    <section>
      <h2 id="methods" className="px-1 pb-2 text-[1.0625rem] font-semibold tracking-tight">
        Payment Method
      </h2>
      <RadioGroup.Root
        aria-labelledby="methods"
        aria-describedby={error ? 'methods-error' : undefined}
        value={value}
        onValueChange={(next) => {
          const chosen = METHODS.find((method) => method.value === next)
          if (chosen) onChoose(chosen.value)
        }}
        className="flex flex-col gap-2.5"
      >
        {METHODS.map(({ value: method, label, time, icon: Icon }) => (
          <RadioGroup.Item
            key={method}
            value={method}
            className={cx(
              'group flex min-h-18 items-center gap-3.5 rounded-card border bg-surface px-4 text-start shadow-card transition-colors hover:bg-sunken/50 data-[state=checked]:border-leaf data-[state=checked]:ring-1 data-[state=checked]:ring-leaf',
              error ? 'border-danger' : 'border-line',
            )}
          >
            <span aria-hidden className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf-wash text-leaf">
              <Icon className="size-5" strokeWidth={1.9} />
            </span>
            <span className="flex-1">
              <span className="block font-semibold">{label}</span>
              <span className="block text-sm text-ink-soft">{time}</span>
            </span>
            <span
              aria-hidden
              className="grid size-6 place-items-center rounded-full border-2 border-line-strong group-data-[state=checked]:border-leaf"
            >
              <RadioGroup.Indicator className="size-3 rounded-full bg-leaf" />
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {error && (
        <p id="methods-error" className="mt-2 px-1 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </section>
  )
}
