import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Landmark, type LucideIcon, Unplug, Wallet } from 'lucide-react'
import { useLocation } from 'react-router'
import type { OfferedMethod, TopUpMethod } from '#contract/accounts.ts'
import { money } from '#web/i18n/formats.ts'
import { LinkedSource } from '#web/accounts/linked-source.tsx'
import { addMoney, topUpMethodsQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { longDay } from '#web/i18n/dates.ts'
import { addMoneyFrom, linkedAccountsQuery, listVerifiedBanks } from '#web/lib/linked-accounts.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { useCustomerFormDraft } from '#web/lib/form-draft.ts'
import { paths } from '#web/lib/paths.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { cx } from '#web/ui/cx.ts'
import { FieldNote } from '#web/ui/field.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'
import { LinkRow, RowIcon } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Amounts in US cents. */
const PRESETS = [20_00, 50_00, 100_00, 500_00] as const
const METHODS: readonly { value: TopUpMethod; label: MessageDescriptor; icon: LucideIcon }[] = [
  { value: 'card', label: msg`Debit Card`, icon: CreditCard },
  { value: 'bank', label: msg`Bank Transfer`, icon: Landmark },
  { value: 'wallet', label: msg`Digital Wallet`, icon: Wallet },
]

const ARRIVES: Record<OfferedMethod['arrives'], MessageDescriptor> = {
  at_once: msg({ message: 'Instant', context: 'when added money arrives' }),
  business_days: msg({ message: '1-2 business days', context: 'when added money arrives' }),
  when_confirmed: msg({ message: "As soon as it's confirmed", context: 'when added money arrives' }),
}

/** `source` is the id of the linked account that pays a bank transfer, or '' for an account that is not linked. */
type Values = { amount: string; method: TopUpMethod | ''; source: string }

/** Returns the form's initial values. A previous screen can preselect a linked account through the navigation state. */
function filledIn(state: unknown): Values {
  const from = (state as { from?: unknown } | null)?.from
  if (typeof from !== 'string') return { amount: '', method: '', source: '' }
  return { amount: '', method: 'bank', source: from }
}

function useAddMoneyForm() {
  const { t } = useLingui()
  const redirect = useRedirect()
  const now = useBusinessNow()

  const check: FormCheck<Values> = ({ amount, method }) => {
    return [
      ...amountErrors<keyof Values>('amount', amount),
      ...formErrors<keyof Values>(
        method === '' && { field: 'method', code: 'method_missing', text: t`Choose a payment method` },
      ),
    ]
  }

  return useForm({
    initial: filledIn(useLocation().state),
    check,
    read: ({ amount, method, source }) => ({
      amountMinor: parseMinor(amount),
      asset: 'USD' as const,
      method: method as TopUpMethod,
      source: method === 'bank' ? source : '',
    }),
    send: ({ source, method, ...content }, key) =>
      source ? addMoneyFrom(source, content, key) : addMoney({ ...content, method }, key),
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Adding ${amount}…`
    },
    success: ({ transaction, settlesAt }, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      if (transaction.status !== 'pending') return { message: t`${amount} added successfully!` }
      const day = settlesAt && longDay(settlesAt, now)
      return {
        // The money arrives later, so the message says that it is on its way
        // (docs/decisions/0413-added-toast-after-arrival.md).
        message: t({
          message: `${amount} is on its way`,
          comment: '{amount} is money that is being added to the account',
        }),
        description: day
          ? t({ message: `It will arrive by ${day}`, comment: 'Money from another bank. {day} is a date' })
          : t`You can spend it once it's confirmed`,
      }
    },
    outcome: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return {
        sent: t`${amount} was added`,
        notSent: t`Canceled. No money was added`,
        view: paths.transactions,
      }
    },
    onDone: () => redirect(paths.dashboard),
  })
}

export function AddMoneyScreen() {
  const { t } = useLingui()
  const query = useQuery(topUpMethodsQuery)
  const methods = query.data?.methods
  return (
    <QueryScreen query={query} title={t`Add Money`} back={paths.dashboard}>
      {methods?.length === 0 ? (
        <>
          <NotAvailable />
          <FromOutside />
        </>
      ) : (
        <AddMoneyForm offered={methods ?? null} />
      )}
    </QueryScreen>
  )
}

/** Links to the account details, which others need to pay the customer. */
function FromOutside() {
  const { t } = useLingui()
  return (
    <Card>
      <LinkRow
        icon={Landmark}
        tint="blue"
        title={t`Account Details`}
        description={t`For your salary and other payments from outside Alder`}
        to={paths.accountDetails}
      />
    </Card>
  )
}

/** Shown by a bank that offers no method to add money. */
function NotAvailable() {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={Unplug}
      title={t`Adding money isn't available here`}
      action={
        <ButtonLink to={paths.dashboard}>
          <Trans>Go to Home</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        This bank isn't connected to cards, banks or wallets yet. You can still get paid. Give your email or phone
        number to someone with an Alder account, and the money arrives right away.
      </Trans>
    </EmptyState>
  )
}

/** `offered` contains the available methods. It is null while they load. */
function AddMoneyForm({ offered }: { offered: readonly OfferedMethod[] | null }) {
  const { t } = useLingui()
  const form = useAddMoneyForm()
  useCustomerFormDraft(paths.addMoney, form)
  const { error, value, onChange } = form.field('method')
  const banks = listVerifiedBanks(useQuery(linkedAccountsQuery).data?.accounts)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <Columns>
        <div>
          <AmountField {...form.field('amount')} label={t`Amount`} />
          <Presets value={form.values.amount} onChoose={(text) => form.set('amount', text)} />
        </div>
        <>
          <Methods
            offered={offered}
            value={value}
            error={error}
            onChoose={(method) => {
              onChange(method)
              if (method === 'bank' && !form.values.source) form.set('source', banks[0]?.id ?? '')
            }}
          />
          {value === 'bank' && banks.length > 0 && (
            <LinkedSource accounts={banks} value={form.values.source} onChange={(id) => form.set('source', id)} />
          )}
          <Button type="submit" busy={form.busy} done={form.done}>
            <Trans>Add Money</Trans>
          </Button>
          <FromOutside />
        </>
      </Columns>
    </form>
  )
}

function Presets({ value, onChoose }: { value: string; onChoose: (text: string) => void }) {
  const { t } = useLingui()
  const chosenMinor = parseMinor(value)
  return (
    <div
      role="group"
      aria-label={t`Quick choices`}
      className="mt-3 grid grid-cols-[repeat(auto-fit,minmax(4rem,1fr))] gap-2"
    >
      {PRESETS.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={chosenMinor === preset}
          onClick={() => onChoose(amountText(preset))}
          className={cx(
            'tabular min-h-11 rounded-full border font-semibold transition-colors',
            chosenMinor === preset
              ? 'border-primary bg-primary-subtle text-primary'
              : 'border-line bg-surface hover:bg-muted',
          )}
        >
          {money(preset, 'USD', { short: true })}
        </button>
      ))}
    </div>
  )
}

type MethodsProps = {
  offered: readonly OfferedMethod[] | null
  value: string
  error: string | undefined
  onChoose: (method: TopUpMethod) => void
}

function Methods({ offered, value, error, onChoose }: MethodsProps) {
  return (
    <section>
      <h2 id="methods" className="px-1 pb-2 text-[1.0625rem] font-semibold tracking-tight">
        <Trans>Payment Method</Trans>
      </h2>
      <div
        role="radiogroup"
        aria-labelledby="methods"
        aria-describedby={error ? 'methods-error' : undefined}
        className="flex flex-col gap-2.5"
      >
        {METHODS.map((method) => {
          if (!offered) return <Skeleton key={method.value} className="h-18 rounded-card" />
          const offer = offered.find((candidate) => candidate.method === method.value)
          return (
            offer && (
              <MethodOption
                key={method.value}
                {...method}
                time={ARRIVES[offer.arrives]}
                checked={method.value === value}
                failed={!!error}
                onChoose={onChoose}
              />
            )
          )
        })}
      </div>
      <FieldNote id="methods-error" error={error} />
    </section>
  )
}

type MethodOptionProps = (typeof METHODS)[number] & {
  time: MessageDescriptor
  checked: boolean
  failed: boolean
  onChoose: (method: TopUpMethod) => void
}

function MethodOption({ value, label, time, icon: Icon, checked, failed, onChoose }: MethodOptionProps) {
  const { t } = useLingui()
  return (
    <label
      className={cx(
        '@container relative flex min-h-18 flex-col justify-center rounded-card border bg-surface px-4 py-2.5 text-start shadow-card transition-colors hover:bg-muted/50 has-checked:border-primary has-checked:ring-1 has-checked:ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        failed ? 'border-danger ring-1 ring-danger' : 'border-line',
      )}
    >
      <input
        type="radio"
        name="method"
        checked={checked}
        onChange={() => onChoose(value)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <span className="flex items-center gap-3.5">
        <RowIcon icon={Icon} />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{t(label)}</span>
          <span className="block text-sm text-ink-soft">{t(time)}</span>
        </span>
        <span
          aria-hidden
          className={cx(
            'grid size-6 shrink-0 place-items-center rounded-full border-2',
            checked ? 'border-primary' : 'border-line-strong',
          )}
        >
          {checked && <span className="size-3 rounded-full bg-primary" />}
        </span>
      </span>
    </label>
  )
}
